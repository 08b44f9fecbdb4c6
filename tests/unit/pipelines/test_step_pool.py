"""Steps in processes that stay: Dagster's private modules run, leave out and log them."""

import os

import dagster as dg

from pipelines import step_pool
from pipelines.dagster_home import prepare_dagster_home
from tests.support.pooled_job import pooled_job
from tests.support.running_build import running_build


def test_steps_run_in_other_processes_but_those_whose_inputs_failed(tmp_path, monkeypatch):
    home = prepare_dagster_home(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    monkeypatch.setenv("LARDER_PROCESSES", "2")  # the executor sets it
    # The graph of a whole build would be imported for steps of no work.
    start = step_pool.start_fork_server
    monkeypatch.setattr(step_pool, "start_fork_server", lambda _: start("tests.support.pooled_job"))
    with dg.DagsterInstance.from_config(str(home)) as instance:
        job = dg.reconstructable(pooled_job)
        with (
            running_build(home) as other,
            dg.execute_job(job, instance, raise_on_error=False) as result,
        ):
            assert other.has_ended(), "a run waits for the one before"
            ended = {
                kind: {e.step_key for e in result.all_events if e.event_type_value == kind}
                for kind in ("STEP_START", "STEP_SUCCESS", "STEP_FAILURE")
            }
            assert ended == {
                "STEP_START": {"read", "look", "match", "refuse"},
                "STEP_SUCCESS": {"read", "look", "match"},
                "STEP_FAILURE": {"refuse"},
            }
            processes = result.output_for_node("match")
            assert 1 <= len(processes) <= 2
            assert os.getpid() not in processes
        logs = [file.read_text() for file in home.glob(f"storage/{result.run_id}/**/steps-*.out")]
        assert "sources are read\n" in "".join(logs)
