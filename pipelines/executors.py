"""Executors of jobs: Dagster's own, on this machine, on Celery workers or as Kubernetes jobs."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import dagster as dg

_OF_PACKAGES = {
    "celery": ("dagster_celery", "celery_executor"),
    "k8s": ("dagster_k8s", "k8s_job_executor"),
    "celery_k8s": ("dagster_celery_k8s", "celery_k8s_job_executor"),
}
EXECUTORS = ("in_process", "multiprocess", *_OF_PACKAGES)


class ExecutorError(ValueError):
    """The chosen executor is unknown, or its package is not installed."""


def executor_of(environment: Mapping[str, str] = os.environ) -> dg.ExecutorDefinition:
    """Return the executor of every job, which `LARDER_EXECUTOR` names: in_process unless given.

    All machines of a run share one data folder. `LARDER_CELERY_BROKER` and
    `LARDER_CELERY_BACKEND` are addresses with passwords, which must not be in the stored run
    configuration. The packages of other machines are the extra [scale]. Raises ExecutorError.
    """
    name = environment.get("LARDER_EXECUTOR", "").strip() or "in_process"
    if name == "in_process":
        return dg.in_process_executor
    if name == "multiprocess":
        return dg.multiprocess_executor
    if name not in _OF_PACKAGES:
        raise ExecutorError(f"LARDER_EXECUTOR={name!r} is not one of {', '.join(EXECUTORS)}")
    module, attribute = _OF_PACKAGES[name]
    try:
        definition: Any = getattr(import_module(module), attribute)
    except ImportError as error:
        raise ExecutorError(
            f"LARDER_EXECUTOR={name} needs {module}: pip install 'open-larder[scale]'"
        ) from error
    executor: dg.ExecutorDefinition = definition
    if "celery" not in name:
        return executor
    # Names of variables and not their values: configuration is stored and shown.
    variables = {"broker": "LARDER_CELERY_BROKER", "backend": "LARDER_CELERY_BACKEND"}
    addresses = {key: {"env": name} for key, name in variables.items() if environment.get(name)}
    return executor.configured(addresses)
