"""How commands end: one table from errors to exit codes, and nothing that looks like a crash."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from talekeeper import errors
from talekeeper.cli.console import Commands, clean, command_group, exit_code, short

CODES = {
    errors.BadInput: 2, errors.NotFound: 2, errors.TooLarge: 2,
    errors.Conflict: 3, errors.TurnInProgress: 3, errors.HeadMoved: 3, errors.NotLive: 3, errors.NotAllowed: 3,
    errors.Unauthorized: 3, errors.TooMuch: 3,
    errors.Unavailable: 4, errors.ModelDown: 4, errors.StoreDown: 4, errors.NotConfigured: 4,
    errors.Damaged: 4, errors.NewerDatabase: 4, errors.CorruptWorld: 4,
}  # fmt: skip


@pytest.mark.parametrize(("error", "code"), CODES.items())
def test_every_error_has_its_exit_code(error, code):
    assert exit_code(error("It went wrong.")) == code


def test_no_error_is_forgotten():
    def all_below(kind: type) -> set[type]:
        return {kind, *(deeper for child in kind.__subclasses__() for deeper in all_below(child))}

    ours = {kind for kind in all_below(errors.TalekeeperError) if kind.__module__ == errors.__name__}
    assert ours - {errors.TalekeeperError} == CODES.keys()


def _ends_with(problem: BaseException, **environment: str):
    app = command_group("Fails.")

    @app.command("one")
    def one() -> None:
        raise problem

    @app.command("two")
    def two() -> None: ...

    outer = typer.Typer(cls=Commands)
    outer.add_typer(app, name="group")
    return CliRunner().invoke(outer, ["group", "one"], env=environment)


def test_message_and_hint_are_on_stderr_once():
    result = _ends_with(errors.TurnInProgress("Turn 4 is being told.", "Wait for it."))
    assert (result.exit_code, result.stdout, result.stderr) == (3, "", "Turn 4 is being told.\nWait for it.\n")


def test_brackets_and_control_characters_in_a_message_are_only_characters():
    result = _ends_with(errors.BadInput("[bold]no[/bold] \x1b[2J :smile:"))
    assert result.stderr == "[bold]no[/bold] �[2J :smile:\n"


def test_a_file_that_cannot_be_written_is_no_traceback():
    result = _ends_with(PermissionError(13, "Permission denied", "/somewhere"))
    assert (result.exit_code, result.stderr.splitlines()[0]) == (4, "Permission denied: /somewhere.")


def test_a_mistake_of_ours_is_said_to_be_one_and_shown_on_request():
    result = _ends_with(ZeroDivisionError("division by zero"))
    assert result.exit_code == 70
    assert result.stderr.splitlines()[0] == "Something broke: ZeroDivisionError('division by zero')."
    assert isinstance(_ends_with(ZeroDivisionError(), TALEKEEPER_SERVER_DEBUG="1").exception, ZeroDivisionError)


def test_ctrl_c_is_130():
    assert _ends_with(KeyboardInterrupt()).exit_code == 130


def test_cleaned_text_keeps_letters_lines_and_tabs():
    assert clean("é\n\t中 – “x”") == "é\n\t中 – “x”"
    assert clean("a\x00\x1b\x7f\x9b\u202e\u2066b") == "a" + "�" * 6 + "b"


def test_short_text_is_one_line():
    assert short("a\n b   c", 10) == "a b c"
    assert short("x" * 20, 10) == "x" * 9 + "…"
