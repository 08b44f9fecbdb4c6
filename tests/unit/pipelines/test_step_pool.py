"""Steps in processes that stay: Dagster's private modules run, leave out and log them."""

import os

import dagster as dg
import pytest

from pipelines import step_pool
from pipelines.dagster_home import prepare_dagster_home
from tests.support.pooled_job import chained_job, pooled_job
from tests.support.running_build import running_build


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A Dagster home, and a pool without the graph of a build: the steps here do no work."""
    home = prepare_dagster_home(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    monkeypatch.setenv("LARDER_PROCESSES", "2")  # the executor sets it
    start = step_pool.start_fork_server
    monkeypatch.setattr(step_pool, "start_fork_server", lambda _: start("tests.support.pooled_job"))
    return home


def test_steps_that_wait_for_each_other_stay_in_one_process(home):
    """What divides a step's work, and the geography, is read once for all of them."""
    with dg.DagsterInstance.from_config(str(home)) as instance:
        job = dg.reconstructable(chained_job)
        with dg.execute_job(job, instance) as result:
            assert len(result.output_for_node("match")) == 2, "the first two steps run at once"
            assert len(result.output_for_node("gather")) == 1


def test_steps_run_in_other_processes_but_those_whose_inputs_failed(home):
    with dg.DagsterInstance.from_config(str(home)) as instance:
        job = dg.reconstructable(pooled_job)
        with (
            running_build(home) as has_ended,
            dg.execute_job(job, instance, raise_on_error=False) as result,
        ):
            assert has_ended(), "a run waits for the one before"
            ends = {
                kind: {e.step_key for e in result.all_events if e.event_type_value == kind}
                for kind in ("STEP_START", "STEP_SUCCESS", "STEP_FAILURE")
            }
            assert ends == {
                "STEP_START": {"read", "look", "match", "refuse"},
                "STEP_SUCCESS": {"read", "look", "match"},
                "STEP_FAILURE": {"refuse"},
            }
            processes = result.output_for_node("match")
            assert 1 <= len(processes) <= 2
            assert os.getpid() not in processes
        logs = [file.read_text() for file in home.glob(f"storage/{result.run_id}/**/steps-*.out")]
        assert "sources are read\n" in "".join(logs)
