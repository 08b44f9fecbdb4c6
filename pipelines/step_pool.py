"""Runs the steps of a build in a few persistent processes.

Dagster's own multiprocess executor starts a process for each of some 130 steps, most of which take
a tenth of a second, and each opens the instance again.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from multiprocessing import get_context
from multiprocessing.util import Finalize
from typing import Any, ClassVar

import dagster as dg
from dagster._core.events import DagsterEvent
from dagster._core.execution.api import create_execution_plan, execute_plan_iterator
from dagster._core.execution.plan.active import ActiveExecution
from dagster._core.execution.plan.instance_concurrency_context import InstanceConcurrencyContext
from dagster._core.execution.retries import RetryMode
from dagster._core.executor.in_process import InProcessExecutor
from dagster._core.system_config.objects import ResolvedRunConfig

from assets.parallel import end_with_parent, start_fork_server
from pipelines.infrequent_gc import OBJECTS
from pipelines.progress import step_seconds

_LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class _Run:
    """A run, with what a pool process needs to execute one of its steps."""

    job: Any
    run: dg.DagsterRun
    instance: Any
    repository_load_data: Any


class StepPool(dg.Executor):
    """Executes the steps of a run in `processes` processes, each as soon as its inputs exist; among
    several, the step with the longest remaining chain."""

    def __init__(self, processes: int) -> None:
        self._processes = processes

    @staticmethod
    def of(processes: int) -> dg.Executor:
        """Return the executor for a number of processes: one needs only the run's own."""
        return StepPool(processes) if processes > 1 else InProcessExecutor(RetryMode.ENABLED)

    @property
    def retries(self) -> RetryMode:
        return RetryMode.ENABLED

    def execute(self, plan_context: Any, execution_plan: Any) -> Iterator[DagsterEvent]:
        """Yield the events of all steps. Raises BrokenProcessPool when a process was killed, and
        DagsterExecutionInterruptedError, after the running steps have ended, when the run was
        interrupted."""
        run = _Run(
            plan_context.reconstructable_job,
            plan_context.dagster_run,
            plan_context.instance.get_ref(),
            execution_plan.repository_load_data,
        )
        # Modules that every process would otherwise import again, the graph included.
        start_fork_server("pipelines.preload")
        context = get_context("forkserver")
        concurrency = InstanceConcurrencyContext(plan_context.instance, plan_context.dagster_run)
        with (
            concurrency as limits,
            ActiveExecution(
                execution_plan,
                retry_mode=self.retries,
                sort_key_fn=_longest_chain_first(plan_context, execution_plan),
                max_concurrent=self._processes,
                instance_concurrency_context=limits,
            ) as active,
            ExitStack() as stack,
        ):
            begin = partial(_begin, plan_context.instance.root_directory, run)
            pools = [
                stack.enter_context(ProcessPoolExecutor(1, context, initializer=begin))
                for _ in range(self._processes)
            ]
            # The first idle process gets the next step: dependent steps mostly run in the same
            # process, which already has the geography and shared intermediate results.
            idle = list(range(self._processes))
            running: dict[Future[list[DagsterEvent]], tuple[str, int]] = {}
            while not active.is_complete or running:
                if active.check_for_interrupts():
                    active.mark_interrupted()
                    raise dg.DagsterExecutionInterruptedError
                for step in active.get_steps_to_execute(limit=len(idle)):
                    place = heappop(idle)
                    future = pools[place].submit(_execute, step.key, active.get_known_state())
                    running[future] = step.key, place
                yield from active.concurrency_event_iterator(plan_context)
                finished, _ = wait(running, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
                for future in finished:
                    for event in future.result():
                        yield event
                        active.handle_event(event)
                    step_key, place = running.pop(future)
                    heappush(idle, place)
                    active.verify_complete(plan_context, step_key)
                # Steps whose inputs failed are skipped.
                yield from active.plan_events_iterator(plan_context)


def _longest_chain_first(plan_context: Any, plan: Any) -> Callable[[Any], float]:
    """Return the sort key of ready steps."""
    seconds = step_seconds(plan_context.instance, plan_context.job_name)
    chains = remaining_seconds(plan.get_executable_step_deps(), seconds)
    return lambda step: -chains[step.key]


def remaining_seconds(
    inputs: Mapping[str, Collection[str]], seconds: Mapping[str, float]
) -> dict[str, float]:
    """Return, by step, the seconds of the longest chain that begins with it: the minimum remaining
    time of a build when it starts.

    `inputs` are the steps that each waits for, `seconds` earlier durations: a step without one
    counts a second.
    """
    seconds_left = dict.fromkeys(inputs, 0.0)
    for step in reversed([*TopologicalSorter(inputs).static_order()]):
        seconds_left[step] += seconds.get(step, 1.0)
        for earlier in inputs[step]:
            seconds_left[earlier] = max(seconds_left[earlier], seconds_left[step])
    return seconds_left


class _Steps:
    """Executes single steps of a run in a pool process, which opens the instance and plans the run
    once."""

    here: ClassVar[_Steps]

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._instance = dg.DagsterInstance.from_ref(run.instance)
        self._definition = run.job.get_definition()
        self._config = ResolvedRunConfig.build(self._definition, run.run.run_config)
        self._plan = create_execution_plan(
            run.job, run.run.run_config, repository_load_data=run.repository_load_data
        )
        _capture_once(self._instance.compute_log_manager, run.run.run_id)

    def execute(self, step_key: str, known_state: Any) -> list[DagsterEvent]:
        """Execute one step; its events are then in the instance, too."""
        run = self._run
        # Planning all steps takes as long as many a step.
        resumed_plan = self._plan._replace(known_state=known_state)
        plan = resumed_plan.build_subset_plan([step_key], self._definition, self._config)
        return list(
            execute_plan_iterator(
                plan,
                run.job,
                run.run,
                run_config=run.run.run_config,
                retry_mode=RetryMode.DEFERRED,
                instance=self._instance,
            )
        )


def _capture_once(logs: Any, run_id: str) -> None:
    """Capture the output of this process in one log of its steps: Dagster would start four programs
    for each log, which take longer than most steps."""
    key = logs.build_log_key_for_run(run_id, f"steps-{os.getpid()}")
    capture = ExitStack()
    context = capture.enter_context(logs.capture_logs(key))
    Finalize(None, capture.close, exitpriority=0)
    logs.build_log_key_for_run = lambda *_: key
    logs.capture_logs = lambda _: nullcontext(context)


def _begin(home: str, run: _Run) -> None:
    """Set up a pool process: it ends with the build, and rarely collects garbage."""
    os.environ["DAGSTER_HOME"] = home  # settings of the instance refer to it
    gc.freeze()
    gc.set_threshold(OBJECTS)
    end_with_parent()
    _Steps.here = _Steps(run)


def _execute(step_key: str, known_state: Any) -> list[DagsterEvent]:
    return _Steps.here.execute(step_key, known_state)
