"""The executor of a build by setting."""

from importlib.util import find_spec
from pathlib import Path

import dagster as dg
import pytest
import yaml

from pipelines.jobs import ExecutorError, executor_of

ROOT = Path(__file__).resolve().parents[3]
NEEDS_SCALE = pytest.mark.skipif(
    find_spec("dagster_celery") is None, reason="the extra [scale] is not installed"
)


@pytest.mark.parametrize(
    ("setting", "executor"),
    [("", "in_process"), ("in_process", "in_process"), ("multiprocess", "multiprocess")],
)
def test_executors_of_one_machine_are_those_of_dagster(setting, executor):
    assert executor_of({"LARDER_EXECUTOR": setting}).name == executor


def test_an_unknown_executor_is_refused():
    with pytest.raises(
        ExecutorError, match="LARDER_EXECUTOR='threads' is not one of in_process, mul"
    ):
        executor_of({"LARDER_EXECUTOR": "threads"})


@pytest.mark.skipif(
    find_spec("dagster_celery") is not None, reason="the extra [scale] is installed"
)
def test_a_missing_package_is_named_with_its_installation():
    with pytest.raises(ExecutorError, match=r"pip install 'open-larder\[scale\]'"):
        executor_of({"LARDER_EXECUTOR": "celery"})


@NEEDS_SCALE
@pytest.mark.parametrize("name", ["celery", "k8s", "celery_k8s"])
def test_executors_of_many_machines(name):
    environment = {
        "LARDER_EXECUTOR": name,
        "LARDER_CELERY_BROKER": "redis://x",
        "LARDER_CELERY_BACKEND": "redis://x",
    }
    assert isinstance(executor_of(environment), dg.ExecutorDefinition)


@pytest.mark.parametrize("name", ["dagster.yaml", "kubernetes.yaml"])
def test_the_storage_driver_is_named_and_no_secret_is_in_the_files(name):
    text = (ROOT / "deploy" / "dagster" / name).read_text()
    assert "postgresql://" not in text
    assert "postgresql+psycopg2://" in text
    for document in yaml.safe_load_all(text):
        assert document.get("kind") != "Secret"


@NEEDS_SCALE
def test_dagster_accepts_the_instances():
    from dagster._config import validate_config
    from dagster._config.field_utils import Shape
    from dagster._core.instance.config import dagster_instance_config_schema
    from dagster_k8s import K8sRunLauncher

    documents = list(yaml.safe_load_all((ROOT / "deploy/dagster/kubernetes.yaml").read_text()))
    (inner,) = (
        d["data"]["dagster.yaml"] for d in documents if d["metadata"]["name"] == "larder-dagster"
    )
    instances = [
        yaml.safe_load(inner),
        yaml.safe_load((ROOT / "deploy/dagster/dagster.yaml").read_text()),
    ]
    for instance in instances:
        validation = validate_config(Shape(dagster_instance_config_schema()), instance)
        assert validation.success, validation.errors
    launcher = validate_config(
        Shape(K8sRunLauncher.config_type()), instances[0]["run_launcher"]["config"]
    )
    assert launcher.success, launcher.errors
