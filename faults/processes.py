"""Processes killed (SIGKILL, as the kernel does when memory runs out) while they work."""

import os
import signal
import time
from pathlib import Path

from faults.ground import Ground, Outcome
from faults.table import fault
from tests.support.processes import children_of, comes_true, is_alive
from tests.support.replicas import Replica, missing_nginx, running_nginx
from tests.support.server import Services, answers, free_port
from tests.support.stores import missing_postgresql, new_database, running_postgresql

_ROUNDS = 3
# If a worker dies this soon after its start, the server assumes that it cannot run, and exits (then
# its supervisor restarts it).
_NO_LOOP_SECONDS = 6.0


@fault("service killed under reads and writes", group="processes", quick=True)
def kill_service(ground: Ground) -> Outcome:
    """The only process is killed: no answers until its supervisor starts another."""
    outages: list[tuple[float, float]] = []
    tokens = ground.tokens
    with ground.supervise() as service, ground.load(service.address) as load:
        for _ in range(_ROUNDS):
            load.wait_for("POST", 200, 20)
            instant = time.monotonic()
            service.kill()
            time.sleep(0.1)
            service.wait()
            outages.append((instant, time.monotonic()))
        load.wait_for("POST", 200, 20)
    away = sum(end - begin for begin, end in outages)
    lost_count = len(load.list_lost()) - len(load.list_lost(outages))
    text = (
        f"killed {_ROUNDS} times with {len(tokens)} operators reporting; back after "
        f"{away / _ROUNDS:.1f} s each time; {lost_count} requests in those {away:.1f} s found "
        f"nobody; all {len(load.acknowledged)} acknowledged reports are stored, once"
    )
    return ground.outcome(load, text, outages)


def _is_worker(pid: int) -> bool:
    """Return whether a child answers requests and is not a resource tracker."""
    try:
        return b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:  # just ended
        return False


@fault(
    "workers of a service and its sibling killed, then the sibling", group="processes", quick=True
)
def kill_tree(ground: Ground) -> Outcome:
    """Granian replaces a worker; without its sibling the service stops, for systemd to start it."""
    unmet: list[str] = []
    settings = {"LARDER_PORT": str(free_port()), "LARDER_SIBLING_PORT": str(free_port())}
    for workers in (1, 2):
        with ground.service(**settings, LARDER_WORKERS=str(workers)) as services:
            unmet += _kill_each(services, workers)
    with ground.service(**settings, LARDER_WORKERS="2") as services:
        unmet += _list_silent(services, "started again")
        tree = _tree(services)
        services.process.terminate()
        if services.process.wait(30) != 0:
            unmet.append(f"SIGTERM: ended with {services.process.returncode}")
        unmet += _orphans(tree, "SIGTERM")
    text = (
        "workers of both services replaced, with 1 and 2 workers; the service stopped when its "
        "sibling was killed; the next start had its ports; SIGTERM ended all"
    )
    return Outcome("; ".join([text, *unmet[:5]]), requests_lost=len(unmet))


def _kill_each(services: Services, workers: int) -> list[str]:
    unmet = _list_silent(services, "start")
    for role in ("worker", "sibling worker"):
        pid = _tree(services)[role][0]
        os.kill(pid, signal.SIGKILL)
        case = f"{role} of {workers} killed"
        if not comes_true(lambda pid=pid: not is_alive(pid), 5):
            unmet.append(f"{case}: still there")
        unmet += _list_silent(services, case)
        time.sleep(_NO_LOOP_SECONDS)
    tree = _tree(services)
    # As a supervisor does with all that is left of a process.
    for pid in (*tree["sibling"], *tree["sibling worker"]):
        os.kill(pid, signal.SIGKILL)
    case = f"sibling of {workers} killed"
    if not comes_true(lambda: services.process.poll() is not None, 40):
        unmet.append(f"{case}: the service goes on")
    return unmet + _orphans(tree, case)


def _tree(services: Services) -> dict[str, list[int]]:
    """Return the processes by role, once all are running."""
    processes: dict[str, list[int]] = {}

    def is_whole() -> bool:
        children = children_of(services.process.pid)
        processes["sibling"] = [p for p in children if b"--sibling" in _command(p)]
        processes["worker"] = [
            p for p in children if p not in processes["sibling"] and _is_worker(p)
        ]
        processes["sibling worker"] = [
            w for p in processes["sibling"] for w in children_of(p) if _is_worker(w)
        ]
        return all(processes.values())

    if not comes_true(is_whole, 60):
        raise TimeoutError(f"not all processes are there: {processes}")
    return processes


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def _orphans(tree: dict[str, list[int]], case: str) -> list[str]:
    every = [pid for pids in tree.values() for pid in pids]
    return [
        f"{case}: {pid} is an orphan"
        for pid in every
        if not comes_true(lambda pid=pid: not is_alive(pid), 5)
    ]


def _list_silent(services: Services, case: str) -> list[str]:
    """Return the services that do not answer within two minutes."""
    addresses = (services.food, services.sibling)
    return [
        f"{case}: {a} is silent"
        for a in addresses
        if not comes_true(lambda a=a: answers(a, 20), 120)
    ]


@fault(
    "one of two replicas killed behind nginx",
    group="processes",
    missing=lambda: missing_nginx() or missing_postgresql(),
)
def kill_replica(ground: Ground) -> Outcome:
    """nginx asks the other replica; the client repeats a lost write once."""
    server = ground.enter(running_postgresql())
    ground.store_url = new_database(str(server.folder))
    assert ground.tokens
    replicas = [Replica(ground.data, ground.folder, ground.store_url) for _ in range(2)]
    try:
        for replica in replicas:
            replica.start()
        with running_nginx(replicas, ground.folder) as address, ground.load(address) as load:
            for replica in replicas:
                load.wait_for("POST", 200, 20)
                replica.kill()
                load.wait_for("POST", 200, 20)
                replica.start()
            load.wait_for("POST", 200, 20)
    finally:
        for replica in replicas:
            replica.stop()
    text = (
        f"each killed once and started again; slowest read {load.slowest('GET'):.1f} s, slowest "
        f"write {load.slowest('POST'):.1f} s"
    )
    return ground.outcome(load, text)
