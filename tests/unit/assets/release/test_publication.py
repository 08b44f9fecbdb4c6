"""The last step of a build, on a real S3 server: uploads and errors."""

import dagster as dg
import pytest

from assets.release.assets import out_directory__publication
from assets.steps.workspace import Workspace
from tests.support.cases import cases
from tests.support.releases import resource, write_release
from tests.support.storage import SECRET
from warehouse.storage.publish import read_pointer

FIRST, SECOND = "20261101T060000Z-00000001", "20261102T060000Z-00000002"


@pytest.fixture
def s3(s3, monkeypatch):
    monkeypatch.setenv("LARDER_STORAGE_URL", s3.url)
    return s3


@pytest.fixture
def data(tmp_path):
    write_release(tmp_path, [resource(1)], release_id=FIRST)
    return tmp_path


def publish(data):
    """Return the metadata of the step, or its error message."""
    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize(
            [out_directory__publication],
            resources={"workspace": Workspace(data_dir=str(data))},
            instance=instance,
            raise_on_error=False,
        )
        if not result.success:
            return _failure(result)
        (materialization,) = result.asset_materializations_for_node("out__directory__publication")
        return {name: value.value for name, value in materialization.metadata.items()}


def _failure(result):
    (event,) = [e for e in result.all_events if e.event_type_value == "STEP_FAILURE"]
    return event.step_failure_data.error.cause.message.strip()


def test_the_storage_serves_the_local_release(s3, data):
    facts = publish(data)
    assert (facts["release_id"], facts["storage"]) == (FIRST, s3.url)
    assert facts["summary"].startswith(
        f"{FIRST} is served from {s3.url}: {facts['files_sent']} files"
    )
    assert read_pointer(s3.bucket())[0].release_id == FIRST
    assert publish(data)["files_sent"] == 0, "nothing is sent twice"
    write_release(data, [resource(2)], release_id=SECOND)
    assert publish(data)["release_id"] == SECOND
    assert read_pointer(s3.bucket())[0].release_id == SECOND


def test_nothing_is_published_where_no_storage_is_named(data, monkeypatch):
    monkeypatch.delenv("LARDER_STORAGE_URL", raising=False)
    assert publish(data)["published"] is False


@cases(
    "settings, message",
    {
        "no storage": ({"LARDER_STORAGE_URL": "ftp://bucket"}, "begins with s3://"),
        "no bucket": ({"LARDER_STORAGE_URL": "s3://not-there/x"}, "s3://not-there/x"),
    },
)
def test_a_fault_fails_the_run_and_is_reported(s3, data, monkeypatch, settings, message):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    error = publish(data)
    assert message in error
    assert SECRET not in error


def test_a_storage_of_another_history_is_left_alone(s3, data, tmp_path_factory):
    publish(data)
    other = tmp_path_factory.mktemp("other")
    write_release(other, [resource(9)], release_id=SECOND)
    assert "was published to from another data folder" in publish(other)
    assert read_pointer(s3.bucket())[0].release_id == FIRST
