"""Whether a delivery is from who it says: every comparison in constant time, over the bytes as they came."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping

from talekeeper.errors import NotConfigured, Unauthorized

WINDOW = 300.0
"""Seconds a signed timestamp may be off."""

_UNSIGNED = "Set the same secret on both sides: `talekeeper fleet hook new` prints one."


def verify(source: str, secret: str, headers: Mapping[str, str], body: bytes, now: float) -> None:
    """`headers` with lower-case names. Raises Unauthorized; an empty secret is never good enough."""
    if not secret:
        raise NotConfigured(f"No secret is set for {source} webhooks.", _UNSIGNED)
    if source == "github":
        good = _hub(secret, headers.get("x-hub-signature-256", ""), body)
    elif source == "gitea":
        given = (
            headers.get("x-gitea-signature") or headers.get("x-forgejo-signature") or headers.get("x-gogs-signature")
        )
        good = _hex(secret, given or "", body) or _hub(secret, headers.get("x-hub-signature-256", ""), body)
    elif source == "gitlab" and "webhook-signature" in headers:
        good = _standard(secret, headers, body, now)
    elif source == "gitlab":
        good = _same(secret, headers.get("x-gitlab-token", ""))
    elif "webhook-signature" in headers:
        good = _standard(secret, headers, body, now)
    else:
        good = _same(f"Bearer {secret}", headers.get("authorization", ""))
    if not good:
        raise Unauthorized(f"The signature of this {source} delivery is missing or wrong.", _UNSIGNED)


def _hub(secret: str, given: str, body: bytes) -> bool:
    algorithm, _, digest = given.partition("=")
    return algorithm == "sha256" and _hex(secret, digest, body)


def _hex(secret: str, given: str, body: bytes) -> bool:
    return _same(hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(), given.strip().lower())


def _standard(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bool:
    message, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not message or not stamp.isdigit() or len(stamp) > 12 or abs(now - int(stamp)) > WINDOW:
        return False
    signed = f"{message}.{stamp}.".encode() + body
    digest = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode()
    # Several signatures may be given while a secret is being changed.
    return any(_same(f"v1,{digest}", one) for one in headers["webhook-signature"].split())


def _key(secret: str) -> bytes:
    if secret.startswith("whsec_"):
        try:
            return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            return secret.encode()
    return secret.encode()


def _same(expected: str, given: str) -> bool:
    return bool(given) and hmac.compare_digest(expected.encode(), given.encode())
