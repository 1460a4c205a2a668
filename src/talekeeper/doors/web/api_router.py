"""A router of the play table's API.

It knows its whole path: a router put into another is worked out again at each level, and once more by the first request.
"""

from __future__ import annotations

from fastapi import APIRouter

from talekeeper.doors.common.problems import PROBLEMS

PREFIX = "/api/v1"


def api_router(below: str, tag: str) -> APIRouter:
    return APIRouter(prefix=PREFIX + below, tags=[tag], responses=PROBLEMS)
