"""The whole OpenAPI fuzzed by schemathesis: no server error, and no answer the schema does not announce."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from requests import Session
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.testing.house import House

WORLD = "low-water"
ENDLESS = "/stream"
"""What answers with a stream is read by test_playing.py."""
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    engine = Engine.open(House(tmp_path_factory.mktemp("spec")).settings(world=False))
    try:
        return build_server(engine).openapi()
    finally:
        engine.store.close()


def test_every_operation_is_described(spec: dict[str, Any]) -> None:
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            assert operation.get("summary"), where
            assert operation.get("tags"), where
            assert any(status.startswith("2") for status in operation["responses"]), where
            if path.startswith("/api/v1"):
                assert operation["responses"]["4XX"], where


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session() as opened:
        yield opened


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["fits", "does-not-fit"])
def test_no_request_breaks_it(shared: Any, session: Session, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_dict(httpx.get(f"{shared.url}/openapi.json").json())
    schema.config.update(base_url=shared.url)
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path.endswith(ENDLESS) or not operation.path.startswith("/api/v1"):
            continue
        cases = operation.as_strategy(generation_mode=mode)
        if "{world}" in operation.path and operation.method.lower() != "delete":
            cases = st.one_of(cases, operation.as_strategy(generation_mode=mode).map(_in_our_world))

        @settings(
            max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=cases)
        def try_it(case: Case) -> None:
            case.call_and_validate(
                session=session,
                checks=[
                    not_a_server_error, response_schema_conformance, status_code_conformance, content_type_conformance,
                ],
            )  # fmt: skip

        # What asks for nothing cannot be asked wrongly.
        with contextlib.suppress(Unsatisfiable):
            try_it()


def _in_our_world(case: Case) -> Case:
    """Most made-up names are no world; in ours there is something to break."""
    if isinstance(case.path_parameters, dict):
        case.path_parameters["world"] = WORLD
    return case
