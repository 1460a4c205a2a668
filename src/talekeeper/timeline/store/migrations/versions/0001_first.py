"""The first schema. Edited in place until 0.1.0: it creates whatever tables the code declares."""

from alembic import context, op

revision = "0001"
down_revision = None


def upgrade() -> None:
    context.config.attributes["metadata"].create_all(op.get_bind())
