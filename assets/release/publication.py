"""Publishes the served release to object storage: the last step of every build."""

import dagster as dg

from assets.steps.keys import keys_of, place_in_graph
from assets.steps.workspace import Workspace
from warehouse.storage.publish import describe_push, publish_if_set

PUBLICATION = "out_directory__publication"
RELEASE = "out_directory__release"


@dg.asset(
    **place_in_graph(PUBLICATION, "release"),
    kinds={"s3"},
    deps=keys_of([RELEASE]),
    description=(
        "The release in the object storage that LARDER_STORAGE_URL names, which replicas follow; "
        "nothing where it is not set. Files and manifest first, the pointer last. When it fails "
        "the release is served here all the same, and the next build, or `larder release push`, "
        "goes on where it ended."
    ),
)
def out_directory__publication(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    """Publish the release. Raises StorageError and ReleaseError: the run then fails although the
    release was promoted here."""
    publication = publish_if_set(workspace.releases)
    if publication is None:
        return dg.MaterializeResult(metadata={"published": False})
    pushed, url = publication
    summary = describe_push(pushed, url)
    context.log.info(summary)
    return dg.MaterializeResult(
        metadata={
            "published": True,
            "release_id": pushed.release_id,
            "storage": url,
            "files_sent": pushed.files_sent,
            "sent_mb": round(pushed.bytes_sent / 1e6, 1),
            "summary": summary,
        },
    )
