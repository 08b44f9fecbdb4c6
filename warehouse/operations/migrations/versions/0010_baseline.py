"""All tables of version 0.1, as the models declare them. An empty store gets them without steps."""

revision = "0010"
down_revision = None


def upgrade() -> None:
    """Do nothing: `warehouse.operations.engine` creates the tables of an empty store."""
