"""Alembic's entry: runs on the connection that `schema.prepare` hands over."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=context.config.attributes["metadata"])
with context.begin_transaction():
    context.run_migrations()
