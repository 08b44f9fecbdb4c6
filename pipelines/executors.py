"""Executors of jobs: processes of this machine, Celery workers or Kubernetes jobs.

`LARDER_EXECUTOR` selects other machines; `LARDER_PROCESSES` is the number of local processes for
steps. Builds on one machine need none of the optional packages (`[scale]`).
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import dagster as dg
from dagster import multiple_process_executor_requirements
from dagster._core.errors import raise_execution_interrupts
from dagster._core.execution.retries import RetryMode

from assets.parallel import PROCESSES
from pipelines.dagster_home import exclude_other_runs
from pipelines.step_pool import StepPool

EXECUTORS = ("processes", "celery", "k8s", "celery_k8s")
_OF_PACKAGES = {
    "celery": ("dagster_celery", "celery_executor"),
    "k8s": ("dagster_k8s", "k8s_job_executor"),
    "celery_k8s": ("dagster_celery_k8s", "celery_k8s_job_executor"),
}


class ExecutorError(ValueError):
    """The chosen executor is unknown, or its package is not installed."""


class OneRun(dg.Executor):
    """Executes a run with another executor, once no other run writes into the same data folder."""

    def __init__(self, executor: dg.Executor) -> None:
        self._executor = executor

    @property
    def retries(self) -> RetryMode:
        return self._executor.retries

    def execute(self, plan_context: Any, execution_plan: Any) -> Iterator[dg.DagsterEvent]:
        with ExitStack() as stack:
            # A waiting run can be stopped.
            with raise_execution_interrupts():
                home = Path(plan_context.instance.root_directory)
                stack.enter_context(exclude_other_runs(home))
            yield from self._executor.execute(plan_context, execution_plan)


def executor_of(environment: Mapping[str, str] = os.environ) -> dg.ExecutorDefinition:
    """Return the executor of every job. Its settings come from the environment too:

    `LARDER_CELERY_BROKER` and `LARDER_CELERY_BACKEND` (addresses with passwords, which must not be
    in the stored run configuration), `LARDER_PROCESSES` for processes of this machine. Raises
    ExecutorError.
    """
    name = environment.get("LARDER_EXECUTOR", "").strip() or "processes"
    if name == "processes":
        return _processes_executor(int(environment.get(PROCESSES) or 0) or None)
    if name not in _OF_PACKAGES:
        raise ExecutorError(f"LARDER_EXECUTOR={name!r} is not one of {', '.join(EXECUTORS)}")
    module, attribute = _OF_PACKAGES[name]
    try:
        definition: Any = getattr(import_module(module), attribute)
    except ImportError as error:
        raise ExecutorError(
            f"LARDER_EXECUTOR={name} needs {module}: pip install 'open-larder[scale]'"
        ) from error
    executor: dg.ExecutorDefinition = (
        definition.configured(_celery(environment)) if "celery" in name else definition
    )
    return executor


def _processes_executor(processes: int | None) -> dg.ExecutorDefinition:
    """Return the executor for processes of this machine; a run may override their number."""
    setting = dg.Field(
        dg.Noneable(int),
        default_value=processes,
        description=(
            "Processes of the build: 1 forks none. Without: steps in one, large ones on all cores."
        ),
    )

    @dg.executor(
        name="processes",
        config_schema={"processes": setting},
        requirements=multiple_process_executor_requirements(),
    )
    def executor(init_context: dg.InitExecutorContext) -> dg.Executor:
        number: Any = init_context.executor_config["processes"]
        if number:
            # Steps that fork use this.
            os.environ[PROCESSES] = str(number)
        return OneRun(StepPool.of(number or 1))

    return executor


def _celery(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return names of variables and not their values: configuration is stored and shown."""
    variables = {"broker": "LARDER_CELERY_BROKER", "backend": "LARDER_CELERY_BACKEND"}
    return {key: {"env": name} for key, name in variables.items() if environment.get(name)}
