"""Runs migrations on the connection and in the transaction of `warehouse.operations.engine`."""

from alembic import context

from warehouse.operations.models import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # Both databases roll back a partial schema change; the library would commit SQLite's step by
    # step.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
