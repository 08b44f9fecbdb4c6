"""Executors of a build: this process, several processes, Celery workers or Kubernetes jobs.

`LARDER_EXECUTOR` chooses; the batches of one machine need none of the optional packages
(`[scale]`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import dagster as dg

EXECUTORS = ("in_process", "multiprocess", "celery", "k8s", "celery_k8s")
_OF_PACKAGES = {
    "celery": ("dagster_celery", "celery_executor"),
    "k8s": ("dagster_k8s", "k8s_job_executor"),
    "celery_k8s": ("dagster_celery_k8s", "celery_k8s_job_executor"),
}
# What every step would import again. A name that a later Dagster no longer has is passed over.
_PRELOADED = ("pipelines.preload", "dagster._utils.test")


class ExecutorError(ValueError):
    """The chosen executor is unknown, or the package it comes from is not installed."""


def executor_of(environment: Mapping[str, str] = os.environ) -> dg.ExecutorDefinition:
    """Return the executor of `build_release`. Its settings come from the environment as well:

    `LARDER_CELERY_BROKER` and `LARDER_CELERY_BACKEND` (addresses, which hold passwords and
    therefore are not run configuration, which is stored), `LARDER_MAX_PROCESSES` for several
    processes (2 unless set). Raises ExecutorError.
    """
    name = environment.get("LARDER_EXECUTOR", "").strip() or "in_process"
    if name == "in_process":
        return dg.in_process_executor
    if name == "multiprocess":
        most = int(environment.get("LARDER_MAX_PROCESSES", "2"))
        # Steps are forked from a process that has imported everything: seconds of CPU less for each.
        start = {"forkserver": {"preload_modules": list(_PRELOADED)}}
        return dg.multiprocess_executor.configured({"max_concurrent": most, "start_method": start})
    if name not in _OF_PACKAGES:
        raise ExecutorError(f"LARDER_EXECUTOR={name!r} is none of {', '.join(EXECUTORS)}")
    module, attribute = _OF_PACKAGES[name]
    try:
        found: Any = getattr(import_module(module), attribute)
    except ImportError as error:
        raise ExecutorError(
            f"LARDER_EXECUTOR={name} needs {module}: pip install 'open-larder[scale]'"
        ) from error
    executor: dg.ExecutorDefinition = (
        found.configured(_celery(environment)) if "celery" in name else found
    )
    return executor


def _celery(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return names of variables and not their values: what is configured is stored and shown."""
    variables = {"broker": "LARDER_CELERY_BROKER", "backend": "LARDER_CELERY_BACKEND"}
    return {key: {"env": name} for key, name in variables.items() if environment.get(name)}
