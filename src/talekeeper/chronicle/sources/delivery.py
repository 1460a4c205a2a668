"""What came in over HTTP: unpacked within bounds, whatever the sender did to it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from talekeeper.errors import BadInput, TooLarge

from ..line import BadLine, load

LARGEST = 25 * 1024 * 1024
"""Bytes, as they come and as they unpack. No forge sends more."""

_ENCODINGS = {"gzip": 31, "x-gzip": 31, "deflate": 47, "identity": 0, "": 0}


def unpacked(headers: Mapping[str, str], body: bytes) -> Any:
    """The JSON value of a delivery; `headers` with lower-case names."""
    if len(body) > LARGEST:
        raise TooLarge(f"A delivery of {len(body)} bytes is too large.", f"At most {LARGEST} bytes are taken.")
    encoding = headers.get("content-encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        raise BadInput(f"The content encoding {encoding[:40]!r} is not understood.", "Send plain JSON or gzip.")
    if _ENCODINGS[encoding]:
        body = _inflated(body, _ENCODINGS[encoding])
    if headers.get("content-type", "").partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
        body = _form_payload(body)
    try:
        return load(body, [])
    except BadLine as bad:
        raise BadInput(f"The delivery is {bad}.", "Set the webhook's content type to application/json.") from None


def _inflated(body: bytes, bits: int) -> bytes:
    unpacker = zlib.decompressobj(bits)
    try:
        plain = unpacker.decompress(body, LARGEST + 1)
    except zlib.error:
        raise BadInput("The delivery is not what its content encoding says.") from None
    if len(plain) > LARGEST:
        raise TooLarge("The delivery unpacks to more than it may.", f"At most {LARGEST} bytes are taken.")
    return plain


def _form_payload(body: bytes) -> bytes:
    try:
        fields = parse_qs(body.decode(), max_num_fields=16)
    except (ValueError, UnicodeDecodeError):
        fields = {}
    if "payload" not in fields:
        raise BadInput("The form has no field named payload.", "Set the webhook's content type to application/json.")
    return fields["payload"][0].encode()


def plain_json(text: str) -> Any:
    """JSON inside JSON, as tool arguments are; None when it is not."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
