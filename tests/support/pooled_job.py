"""Jobs whose steps run in the processes of a build."""

import os

import dagster as dg

from pipelines.executors import executor_of


@dg.op
def read() -> int:
    print("sources are read")
    return os.getpid()


@dg.op
def look() -> int:
    return os.getpid()


@dg.op
def match(read: int, look: int) -> set[int]:
    return {read, look, os.getpid()}


@dg.op
def refuse() -> int:
    raise ValueError("a damaged list")


@dg.op
def publish(refuse: int) -> int:
    return refuse


@dg.job(executor_def=executor_of({"LARDER_PROCESSES": "2"}))
def pooled_job() -> None:
    match(read(), look())
    publish(refuse())


@dg.op
def link(earlier: set[int]) -> set[int]:
    return {os.getpid()}


@dg.op
def gather(links: list[set[int]]) -> set[int]:
    return set().union(*links)


@dg.job(executor_def=executor_of({"LARDER_PROCESSES": "2"}))
def chained_job() -> None:
    links = [match(read(), look())]
    for _ in range(6):
        links.append(link(links[-1]))
    gather(links[1:])
