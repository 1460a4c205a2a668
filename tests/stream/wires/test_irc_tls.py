"""IRC over TLS: with a certificate that is trusted, and with one that is not."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest

from talekeeper.doors.stream.transport.backoff import Backoff
from talekeeper.doors.stream.transport.irc import IrcServer, IrcTransport

pytestmark = pytest.mark.foreign


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and certificate in one file, for localhost."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: IRC over TLS is not tried")
    made = tmp_path_factory.mktemp("tls") / "both.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(made), "-out", str(made) + ".crt",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    made.write_bytes(made.read_bytes() + Path(f"{made}.crt").read_bytes())
    return made


@pytest.fixture
async def port(twitch: Any, certificate: Path) -> int:
    secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secured.load_cert_chain(certificate)
    await twitch.irc.stop()
    await twitch.irc.start(tls=secured)
    return int(twitch.irc.port)


def transport(twitch: Any, port: int, tls: ssl.SSLContext | None) -> IrcTransport:
    return IrcTransport(
        twitch.channel, twitch.bot, f"oauth:{twitch.token()}", server=IrcServer("127.0.0.1", port, tls=True), tls=tls,
        backoff=Backoff(first=0.01, longest=0.05),
    )  # fmt: skip


async def test_a_trusted_server_is_talked_with(
    twitch: Any, port: int, certificate: Path, start: Any, listener: Any
) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate))
    running = start(transport(twitch, port, trusting))
    await running.connected()
    await twitch.says("ada", "in private")
    await listener.line("in private")
    assert (await running.transport.send("Good evening.")).message_id


async def test_an_unknown_certificate_is_never_given_the_token(twitch: Any, port: int, start: Any, until: Any) -> None:
    running = start(transport(twitch, port, None))
    await until(lambda: "certificate" in running.transport.state.last_error.lower())
    assert twitch.irc.ever == 0
