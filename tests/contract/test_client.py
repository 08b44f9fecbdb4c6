"""Test the Python client: every operation, against the description and the service."""

import importlib
import importlib.util
import inspect
import json
import re
import shutil
import sys
from typing import Any

import httpx
import msgspec
import pytest

from serving.app import create_app
from serving.http.openapi import document
from serving.settings import Settings
from tests.support.clients import open_client
from tests.support.contract import sample
from tests.support.server import ROOT, running_service
from tests.support.town import resources, write_town

_spec = importlib.util.spec_from_file_location(
    "client_generate", ROOT / "clients" / "python" / "generate.py"
)
assert _spec is not None
generate: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("client")
    write_town(folder, bulk=True, hsds=True, history=True)
    return folder


@pytest.fixture(scope="module")
def description(town):
    return json.loads(document(create_app(Settings(data_dir=town, log_level="critical"))))


@pytest.fixture(scope="module")
def service(town):
    with running_service(town, LARDER_LOG_LEVEL="critical") as address:
        yield address


@pytest.fixture(scope="module")
def package(description, tmp_path_factory):
    """The client's package: its own modules and those generated from the description."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(generate.FOLDER, folder / "open_larder_client")
    generate.write(description, folder / "open_larder_client")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("open_larder_client")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def larder(service, package):
    with package.Larder(service, retries=0) as client:
        yield client


def example_of(parameter: dict[str, Any]) -> Any:
    """Return the example of a parameter, or the least value its schema allows."""
    if "example" in parameter:
        return parameter["example"]
    for example in (parameter.get("examples") or {}).values():
        return example["value"]
    return sample({}, parameter["schema"])


def arguments(description, operation):
    """Return required arguments of an operation's method, from the description's examples."""
    values = [example_of(p) for p in operation.get("parameters", []) if p.get("required")]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        values.append(sample(description, content["schema"]))
        break
    return values


def test_every_operation_answers_through_the_client(description, larder, package):
    """Each answer has its declared type, or is a problem of the description."""
    problems = {}
    operations = list(generate.operations(description))
    for _, _, operation in operations:
        name = generate.method_name(operation["operationId"])
        try:
            getattr(larder, name)(*arguments(description, operation))
        except package.Problem as problem:
            problems[name] = (problem.status, sorted(operation["responses"]))
    unknown = {
        name: (status, statuses)
        for name, (status, statuses) in problems.items()
        if not {str(status), f"{status // 100}XX"} & set(statuses)
    }
    assert unknown == {}
    assert [name for name, (status, _) in problems.items() if status in (500, 501)] == []
    assert len(problems) < len(operations) / 2


def test_every_shape_can_be_read(package):
    structs = [
        s
        for _, s in inspect.getmembers(package.shapes, inspect.isclass)
        if issubclass(s, msgspec.Struct)
    ]
    assert len(structs) > 100
    for struct in structs:
        msgspec.json.Decoder(struct)


def test_answers_are_typed(larder, package):
    results = larder.search_resources(
        "10002", mode="free", limit=2, type=["food_pantry", "soup_kitchen"]
    )
    assert isinstance(results, package.shapes.ResourceList)
    assert [place.id for place in results.resources] == [101, 102]
    assert results.data_provider.license == "CC-BY-4.0"
    place = larder.get_resource(results.resources[0].id)
    assert isinstance(place, package.shapes.ResourceDetail)
    assert place.freshness.days == 20
    assert larder.get_calendar(101).startswith(b"BEGIN:VCALENDAR")
    assert isinstance(larder.export_resources(format="csv", limit=5), bytes)


@pytest.mark.parametrize("guide", ["clients/python/README.md", "docs/api.md"])
def test_the_examples_run(service, package, guide, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / guide).read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(example.replace("http://127.0.0.1:8000", service), names)
    assert names["found"].resources


def test_each_place_reads_all_pages(larder, package):
    ids = [place.id for place in package.each_place(larder, limit=50)]
    assert ids == sorted(row["resource_id"] for row in resources())
    assert [p.id for p in package.each_place(larder, types=["wic_office"])] == [104]


def test_problems_are_raised(larder, package):
    with pytest.raises(package.Problem, match="00000") as error:
        larder.search_resources("00000")
    assert (error.value.status, error.value.kind) == (404, "unknown-place")
    assert error.value.errors[0]["field"] == "zip"


def test_a_read_is_repeated_after_a_refusal(package):
    waits: list[float] = []
    answers = iter(
        [
            httpx.Response(503, headers={"Retry-After": "3"}, json={}),
            httpx.Response(429, json={}),
            httpx.Response(
                200, json={"free": 1, "snap": 2, "school": 3, "summer": 4, "wic": 5, "health": 6}
            ),
        ]
    )
    client = httpx.Client(transport=httpx.MockTransport(lambda _: next(answers)))
    with package.Larder("http://larder.example", client=client, sleep=waits.append) as larder:
        assert larder.count_resources("10002").health == 6
    assert waits == [3.0, 1.0]


def test_the_client_accepts_another_httpx_client(town, package):
    """Use an httpx client that calls the application without a network."""
    with open_client(town, operations_file=str(town / "own.sqlite")) as inner:
        larder = package.Larder("http://127.0.0.1:8000", client=inner)
        assert larder.get_health().status == "ok"
