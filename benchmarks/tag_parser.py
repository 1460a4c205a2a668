"""Tag parser: MB/s on one core, fed in small pieces as a model streams them, beside the stock ways to do it.

The references do less: html.parser and expat know nothing of allow-lists, held thoughts, fences or limits, expat stops
at the first bare `<` (it is given a text without any), and the find loop handles neither attributes nor cut tags well.
Time is process time, the best of several runs, so that a busy machine disturbs it little.
"""

from __future__ import annotations

import html.parser
import random
import sys
import time
import xml.parsers.expat
from collections.abc import Callable, Iterator

from talekeeper.llm.tags import TagEvent, TagLimits, TagParser

ALLOWED = ("narration", "say", "do", "cue", "propose")
WORDS = (
    "the lantern gutters and rain drums on slate while Mara counts her coins twice before she answers in a low voice "
    "that the ferryman never came back from the north shore though his boat did with wet sails and no crew"
).split()
SIZE = 1_000_000
RUNS = 5
ENDLESS = TagLimits(max_tags=SIZE, max_chars=2 * SIZE)


def prose(rng: random.Random, length: int) -> str:
    words: list[str] = []
    while sum(map(len, words)) + len(words) < length:
        words.append(rng.choice(WORDS))
    return " ".join(words) + "."


def play_table(rng: random.Random) -> str:
    """A narrator's turns: some paragraphs, some lines of dialogue, a cue, a proposal."""
    parts: list[str] = []
    size = 0
    while size < SIZE:
        parts.append(f"<narration>{prose(rng, 420)}</narration>\n")
        parts.append(
            f'<say who="person/mara" tone="low">{prose(rng, 110)}</say>\n<cue who="person/oren" about="boat"/>\n'
        )
        parts.append(f"<narration>{prose(rng, 260)} Salt &amp; smoke.</narration>\n")
        parts.append(f'<propose kind="fact" subject="person/mara">{prose(rng, 60)}</propose>\n')
        size += sum(map(len, parts[-4:]))
    return "".join(parts)


def short_lines(rng: random.Random) -> str:
    """A game's NPC: hardly a sentence per tag."""
    parts: list[str] = []
    size = 0
    while size < SIZE:
        parts.append(f'<say who="oren">{prose(rng, 60)}</say><do what="nods"/>')
        size += len(parts[-1])
    return "".join(parts)


def plain(rng: random.Random) -> str:
    return f"<narration>{prose(rng, 2000) * (SIZE // 2000)}</narration>"


def hostile_heads(_rng: random.Random) -> str:
    return '<say a="<' * (SIZE // 9)


def hostile_angles(_rng: random.Random) -> str:
    return "<narration>" + "<s&a" * (SIZE // 4)


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def with_talekeeper(chunks: list[str]) -> int:
    parser = TagParser(ALLOWED, limits=ENDLESS)
    events: list[TagEvent] = []
    for chunk in chunks:
        events += parser.feed(chunk)
    events += parser.finish()
    return len(events)


class _Html(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.events: list[tuple[str, object]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.events.append((tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        self.events.append(("/", tag))

    def handle_data(self, data: str) -> None:
        self.events.append(("text", data))

    def handle_entityref(self, name: str) -> None:
        self.events.append(("text", name))


def with_html_parser(chunks: list[str]) -> int:
    parser = _Html()
    for chunk in chunks:
        parser.feed(chunk)
    parser.close()
    return len(parser.events)


def with_expat(chunks: list[str]) -> int:
    parser = xml.parsers.expat.ParserCreate()
    events: list[tuple[str, object]] = []
    parser.StartElementHandler = lambda tag, attrs: events.append((tag, attrs))
    parser.EndElementHandler = lambda tag: events.append(("/", tag))
    parser.CharacterDataHandler = lambda text: events.append(("text", text))
    parser.Parse("<root>")
    for chunk in chunks:
        parser.Parse(chunk)
    parser.Parse("</root>", True)
    return len(events)


def find_loop(chunks: list[str]) -> Iterator[tuple[str, str]]:
    """What one writes first: add to a buffer, look for `<` and `>`, cut."""
    buffer = ""
    for chunk in chunks:
        buffer += chunk
        while buffer:
            start = buffer.find("<")
            if start < 0:
                yield "text", buffer
                buffer = ""
            elif start > 0:
                yield "text", buffer[:start]
                buffer = buffer[start:]
            else:
                end = buffer.find(">")
                if end < 0:
                    break
                yield "tag", buffer[1:end]
                buffer = buffer[end + 1 :]


def with_find_loop(chunks: list[str]) -> int:
    return sum(1 for _ in find_loop(chunks))


def speed(parse: Callable[[list[str]], int], chunks: list[str], size: int, runs: int = RUNS) -> float:
    best = float("inf")
    for _ in range(runs):
        started = time.process_time()
        parse(chunks)
        best = min(best, time.process_time() - started)
    return size / best / 1e6


def main() -> None:
    parsers: dict[str, Callable[[list[str]], int]] = {
        "talekeeper": with_talekeeper,
        "find loop": with_find_loop,
        "expat": with_expat,
        "html.parser": with_html_parser,
    }
    texts = {"play table": play_table, "short lines": short_lines, "plain prose": plain}
    print(f"Python {sys.version.split()[0]}, MB/s (higher is better), {SIZE / 1e6:.0f} MB of text, best of {RUNS}\n")
    print(f"{'text':<14}{'piece':>6}  " + "".join(f"{name:>13}" for name in parsers))
    for name, make in texts.items():
        text = make(random.Random(7))
        for size in (1, 4, 16, 64):
            chunks = pieces(text, size)
            figures = [speed(parse, chunks, len(text)) for parse in parsers.values()]
            print(f"{name:<14}{size:>6}  " + "".join(f"{figure:>13.1f}" for figure in figures))
    print("\nhostile input (the others give up or grow without bound here), in pieces of 4 and at once")
    for name, make in {"open heads": hostile_heads, "stray < and &": hostile_angles}.items():
        text = make(random.Random(7))
        for size in (4, len(text)):
            print(f"{name:<14}{size:>8}{speed(with_talekeeper, pieces(text, size), len(text), runs=1):>13.1f}")


if __name__ == "__main__":
    main()
