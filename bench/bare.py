"""Bare handlers for comparison: the same typed parameters, the same bytes, no work between.

granian --interface asgi bench.bare:app
"""

import json
import os
import urllib.request

from litestar import Litestar, Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from serving.search.parameters import (
    Latitude,
    Longitude,
    SearchParameters,
    Zip,
    ZipOrCity,
)
from serving.search.plain_language import Explain as ExplainReading
from serving.search.plain_language import QuestionText
from serving.statistics.reports import SuggestionLimit, Text

_SERVICE = os.environ.get("LARDER_BENCH_SERVICE", "http://127.0.0.1:8300")
_LIMIT = 10


def _bytes_of(path: str) -> bytes:
    with urllib.request.urlopen(_SERVICE + path) as answer:
        body: bytes = answer.read()
        return body


def _full_list() -> bytes:
    """Return a list answer as long as the limit, near the first place with enough neighbours."""
    page = json.loads(_bytes_of("/api/resources/bulk?type=food_pantry&limit=100"))
    for place in page["resources"]:
        point = f"lat={place['lat']}&lng={place['lng']}&mode=free&radius=25&limit={_LIMIT}"
        answer = _bytes_of(f"/api/resources/nearby?{point}")
        if b'"count":%d,' % _LIMIT in answer:
            return answer
    raise LookupError("no place has enough others near it")


def make_app() -> Litestar:
    """Return an application with a bare handler for each measured address."""
    full_list = _full_list()
    first = int(full_list.partition(b'"resources":[{"id":')[2].partition(b",")[0])
    single, count_answer, suggestions, question_answer = (
        _bytes_of(f"/api/resources/{first}"),
        _bytes_of("/api/resources/counts?zip=10002"),
        _bytes_of("/api/autocomplete?q=sal"),
        _bytes_of("/api/llm-search?q=food+pantry+near+10002"),
    )

    @get(
        "/api/resources/nearby",
        dependencies={"parameters": Provide(SearchParameters, sync_to_thread=False)},
    )
    async def nearby(
        lat: Latitude,
        lng: Longitude,
        parameters: NamedDependency[SearchParameters],
    ) -> Response[bytes]:
        return Response(full_list, media_type="application/json")

    @get(
        "/api/resources/search",
        dependencies={"parameters": Provide(SearchParameters, sync_to_thread=False)},
    )
    async def search(
        zip: ZipOrCity,
        parameters: NamedDependency[SearchParameters],
    ) -> Response[bytes]:
        return Response(full_list, media_type="application/json")

    @get("/api/resources/{resource_id:int}")
    async def resource(resource_id: FromPath[int]) -> Response[bytes]:
        return Response(single, media_type="application/json")

    @get("/api/resources/counts")
    async def counts(zip: Zip) -> Response[bytes]:
        return Response(count_answer, media_type="application/json")

    @get("/api/autocomplete")
    async def autocomplete(q: Text, limit: SuggestionLimit = 10) -> Response[bytes]:
        return Response(suggestions, media_type="application/json")

    @get("/api/llm-search")
    async def ask(q: QuestionText, explain: ExplainReading = False) -> Response[bytes]:
        return Response(question_answer, media_type="application/json")

    handlers = [nearby, search, resource, counts, autocomplete, ask]
    return Litestar(handlers, openapi_config=None, logging_config=None)


app = make_app()
