"""Questions in plain language."""

from datetime import UTC, datetime
from typing import Annotated

from litestar import get
from litestar.types import Scope

from schemas.api.patterns import SAYS_SOMETHING
from schemas.api.plain_language import PlainAnswer
from serving.context import context_of
from serving.http.answers import MINUTE, Answer
from serving.http.errors import release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.http.response_cache import of_minute
from serving.search.language.reading import MAX_QUESTION
from serving.search.plain_language import (
    Question,
    QuestionAnswer,
    answer_aside,
    names_of,
    reading_of,
)

QuestionText = Annotated[
    str, query("q", min_length=1, max_length=MAX_QUESTION, pattern=SAYS_SOMETHING)
]
Explain = Annotated[bool, query("explain", of="question")]


@get(
    "/api/llm-search",
    summary="Search in plain English or Spanish",
    tags=["search"],
    responses=answers(PlainAnswer, "The recognized question, the answer in words, and the places."),
)
async def ask_in_plain_language(scope: Scope, q: QuestionText, explain: Explain = False) -> Answer:
    """Read place, program, urgency and wishes from a question and answer in its language, from the
    records.

    A wish is a constraint on a place: a diet, no papers, delivery, a language, a day, a distance
    and so on. `intent.constraints` lists all recognised ones, and `constraint_counts` says how many
    places meet each. Places known to meet all of them come first, then those where it is unknown.

    No model is called: the same question gives the same reading. Text that tries to command the
    service is read as any other text.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    question = Question(q, explain)
    # Reading and answering take some milliseconds, ten times as long as a search.
    key = of_minute(release, now, "question", question)
    answer: QuestionAnswer | None = context.responses.get(key)
    if answer is None:
        reading = await reading_of(question, await names_of.in_thread(release))
        answer = await answer_aside(context, release, question, reading, now)
        context.responses.put(key, answer, len(answer.body) + len(q))
    context.searches.add(now.date(), answer.zip, answer.mode, is_empty=answer.is_empty)
    return Answer(
        answer.body, max_age=MINUTE, headers=((b"content-language", answer.language.encode()),)
    )
