"""Processes killed (SIGKILL, as the kernel does when memory runs out) while they work."""

from __future__ import annotations

import time

from tests.faults.ground import Ground
from tests.faults.table import Outcome, fault

_ROUNDS = 3


@fault("service killed under reads and writes", group="processes", quick=True)
def killed_service(ground: Ground) -> Outcome:
    """The only process there is: nobody can answer until its supervisor has started another."""
    excused: list[tuple[float, float]] = []
    tokens = ground.tokens
    with ground.supervised() as service, ground.load(service.address) as load:
        for _ in range(_ROUNDS):
            load.wait_for("POST", 200, 20)
            killed = time.monotonic()
            service.kill()
            time.sleep(0.1)
            service.wait()
            excused.append((killed, time.monotonic()))
        load.wait_for("POST", 200, 20)
    away = sum(end - begin for begin, end in excused)
    unanswered = len(load.lost()) - len(load.lost(excused))
    seen = (
        f"killed {_ROUNDS} times with {len(tokens)} operators reporting; back after {away / _ROUNDS:.1f} s each time;"
        f" {unanswered} requests in those {away:.1f} s found nobody; all {len(load.acknowledged)} acknowledged reports are stored, once"
    )  # fmt: skip
    return ground.outcome(load, seen, excused)
