"""/docs: the API's routes as a page made here, from the same OpenAPI that /openapi.json gives. Nothing is fetched from outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

_STYLE = """
:root { color-scheme: dark light; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem; font: 1rem/1.6 system-ui, sans-serif;
  background: #17130f; color: #ece1cf; }
a { color: #f0b177; } h1, h2 { font-weight: 600; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #3a3026; }
h3 { margin: 1.6rem 0 .2rem; font: 600 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
h3 b { color: #d9894a; display: inline-block; min-width: 4.5rem; } p { margin: .2rem 0; }
table { border-collapse: collapse; margin: .4rem 0; width: 100%; } caption { text-align: left; color: #b7a88f; }
td { border-top: 1px solid #3a3026; padding: .2rem .8rem .2rem 0; vertical-align: top; }
td:first-child, td:nth-child(2) { font-family: ui-monospace, monospace; font-size: .9em; white-space: nowrap; }
"""


def reference_routes() -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/docs", response_class=HTMLResponse)
    async def docs(request: Request) -> HTMLResponse:
        return HTMLResponse(_page(request.app.openapi()))

    @router.get("/docs/style.css")
    async def style() -> Response:
        return Response(_STYLE, media_type="text/css", headers={"Cache-Control": "max-age=3600"})

    return router


def _page(spec: Mapping[str, Any]) -> str:
    schemas: Mapping[str, Any] = spec.get("components", {}).get("schemas", {})
    tagged: dict[str, list[str]] = {}
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            tag = (operation.get("tags") or ["other"])[0]
            tagged.setdefault(tag, []).append("".join(_operation(method, path, operation, schemas)))
    parts = "".join(f"<h2>{escape(tag)}</h2>{''.join(operations)}" for tag, operations in tagged.items())
    title = escape(f"{spec['info']['title']} {spec['info']['version']}")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}: the API</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/docs/style.css">'
        f'<main><h1>{title}: the API</h1><p>For machines: <a href="/openapi.json">openapi.json</a>.</p>{parts}</main></html>'
    )


def _operation(method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterable[str]:
    yield f"<h3><b>{method.upper()}</b> {escape(path)}</h3><p>{escape(operation.get('summary', ''))}</p>"
    asked = [
        (p["name"], _type(p.get("schema", {})), p.get("description") or p.get("schema", {}).get("description", ""))
        for p in operation.get("parameters", ())
    ]
    yield _table("Parameters", asked)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is not None:
        yield _table("Body", _fields(body, schemas))
    for status, answer in operation.get("responses", {}).items():
        shape = answer.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and shape is not None:
            yield _table(f"Answers {status}: {_type(shape)}", _fields(shape, schemas))


def _fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Of the model itself, of each in a list, or of the one that may be left out."""
    if "items" in schema:
        return _fields(schema["items"], schemas)
    some = [part for part in schema.get("anyOf", ()) if part.get("type") != "null"]
    if len(some) == 1:
        return _fields(some[0], schemas)
    model = schemas.get(_named(schema), {})
    return [(name, _type(field), field.get("description", "")) for name, field in model.get("properties", {}).items()]


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _named(schema)
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kind = str(schema.get("const", schema.get("type", "any")))
    return f"[{_type(schema['items'])}]" if kind == "array" and "items" in schema else kind


def _named(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _table(caption: str, rows: Iterable[tuple[str, str, str]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>" if cells else ""
