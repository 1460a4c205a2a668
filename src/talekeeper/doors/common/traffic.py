"""Requests and sockets, counted for Prometheus."""

from __future__ import annotations

from functools import cache

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram

_QUICK = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class Traffic:
    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self._requests = Counter(
            "talekeeper_http_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "talekeeper_http_request_seconds",
            "Until the answer was sent.",
            ("route",),
            registry=registry,
            buckets=_QUICK,
        )
        self.sockets = Gauge("talekeeper_sockets", "Open sockets.", ("door",), registry=registry)
        self.sent = Counter("talekeeper_socket_messages", "Messages sent over sockets.", ("door",), registry=registry)
        self.lost = Counter(
            "talekeeper_sockets_dropped", "Sockets closed because they could not keep up.", ("door",), registry=registry
        )

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)


@cache
def process_traffic() -> Traffic:
    """That of this process; Prometheus takes each name once."""
    return Traffic()
