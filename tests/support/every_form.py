"""Submits everything that people can write to a running service, once: JSON and forms.

Run it against a deployment: python -m tests.support.every_form https://127.0.0.1 ZIP
"""

import sys

import httpx


def submit_every_form(base: str, resource_id: int, client: httpx.Client) -> list[str]:
    """Send each write about a place, as programs and as pages do; return the failures.

    It leaves a claim, a submission, an edit, votes and a report behind.
    """
    own = {"Origin": base}
    name, contact = f"Smoke Pantry {resource_id}", "smoke@pantry.example"
    record = client.get(f"{base}/api/resources/{resource_id}").json()
    place = {key: record[key] for key in ("city", "state", "zip")} | {
        "name": name,
        "address": "1 Example Street",
        "resource_type": "food_pantry",
    }
    failures: list[str] = []

    def send(path: str, status: int, **body: object) -> httpx.Response:
        answer = client.post(f"{base}{path}", headers=own, **body)  # type: ignore[arg-type]
        if answer.status_code != status:
            failures.append(f"POST {path}: {answer.status_code} {answer.text[:200]}")
        return answer

    def get(path: str) -> httpx.Response:
        answer = client.get(f"{base}{path}")
        if answer.status_code != 200:
            failures.append(f"GET {path}: {answer.status_code} {answer.text[:200]}")
        return answer

    claim = {"resource_id": resource_id, "operator_email": contact}
    token = send("/api/pantry/claim", 200, json=claim).json().get("claim_token", "")
    report = {"claim_token": token, "status": "open_today", "notes": "smoke test"}
    send("/api/pantry/status", 200, json=report)
    send("/api/feedback", 202, json={"type": "helpful", "resource_id": resource_id})
    edit = {"resource_id": resource_id, "changes": {"notes": "smoke"}, "submitted_by": contact}
    send("/api/partner/edit", 202, json=edit)
    send("/api/submissions", 201, json=place)
    number = str(resource_id)
    for prefix in ("", "/es"):
        send(f"{prefix}/feedback", 200, data={"id": number, "type": "other", "comment": "smoke"})
        form = {"id": number, "operator_email": f"smoke{len(prefix)}@pantry.example"}
        send(f"{prefix}/claim", 200, data=form)
        send(f"{prefix}/add", 200, data=place | {"name": f"{name} {len(prefix)}"})
        send(f"{prefix}/snap-calculator", 200, data={"state": "NY", "household_size": "1"})
    get(f"/api/pantry/{number}/status")
    get(f"/api/pantry/manage/{token}")
    send("/api/pantry/withdraw", 200, json={"claim_token": token})
    send("/api/pantry/revoke", 200, json={"claim_token": token})
    get("/api/health/deep")
    return failures


if __name__ == "__main__":
    address, zip_code = sys.argv[1:]
    with httpx.Client(verify=False, timeout=30) as anyone:
        places = anyone.get(f"{address}/api/pantry/search?zip={zip_code}").json()["resources"]
        faults = submit_every_form(address, places[0]["id"], anyone)
    print("\n".join(faults) or "every form was stored")
    sys.exit(bool(faults))
