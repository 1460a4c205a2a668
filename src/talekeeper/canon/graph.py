"""Canon as a graph: entities are nodes, facts that name another entity are edges, the rest are properties. Two notations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

import msgspec

from talekeeper.canon.facts import Fact
from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.view import CanonView
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind
from talekeeper.timeline.vocabulary import Value

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CYPHER_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": ""})


class Node(msgspec.Struct, frozen=True):
    id: str
    kind: str
    name: str
    properties: dict[str, Value]


class Edge(msgspec.Struct, frozen=True):
    source: str
    pred: str
    target: str
    value: Value
    """What an edge keyed by an entity says: how much trust, which way."""
    event: str


class Graph(msgspec.Struct, frozen=True):
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def canon_graph(view: CanonView, *, hidden: bool = False) -> Graph:
    """Everything that holds; `hidden` also what only the game master may see."""
    nodes, edges = [], []
    entities = [WORLD_ENTITY, *(e for e in view.entities() if e != WORLD_ENTITY)]
    view.load(entities)
    for entity in entities:
        properties: dict[str, Value] = {}
        for fact in view.facts_of(entity):
            if not hidden and PREDICATES[fact.pred].sight == "hidden":
                continue
            target = _target(fact)
            if target in entities:
                value = fact.obj if target == fact.slot else fact.slot
                edges.append(Edge(entity, fact.pred, target, value, fact.event))
            else:
                properties[f"{fact.pred}.{fact.slot}" if fact.slot else fact.pred] = fact.obj
        nodes.append(Node(entity, entity_kind(entity), view.name(entity), properties))
    return Graph(tuple(nodes), tuple(edges))


def _target(fact: Fact) -> str:
    predicate = PREDICATES[fact.pred]
    if predicate.value == "entity":
        return str(fact.obj)
    return fact.slot if predicate.slotted == "entity" else ""


def to_graphml(graph: Graph) -> Iterator[str]:
    """GraphML, for Gephi, yEd, NetworkX and the like: every property is a string, so that one key has one type."""
    names = sorted({name for node in graph.nodes for name in node.properties})
    keys = {name: f"p{n}" for n, name in enumerate(names)}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for key, name, of in (
        ("kind", "kind", "node"), ("name", "name", "node"), *((key, name, "node") for name, key in keys.items()),
        ("pred", "predicate", "edge"), ("value", "value", "edge"), ("event", "event", "edge"),
    ):  # fmt: skip
        yield f'  <key id="{key}" for="{of}" attr.name={_attribute(name)} attr.type="string"/>\n'
    yield '  <graph id="canon" edgedefault="directed">\n'
    for node in graph.nodes:
        yield f"    <node id={_attribute(node.id)}>\n"
        held = [("kind", node.kind), ("name", node.name), *((keys[k], v) for k, v in node.properties.items())]
        yield from _data(held)
        yield "    </node>\n"
    for n, edge in enumerate(graph.edges):
        yield f'    <edge id="e{n}" source={_attribute(edge.source)} target={_attribute(edge.target)}>\n'
        yield from _data([("pred", edge.pred), ("value", edge.value), ("event", edge.event)])
        yield "    </edge>\n"
    yield "  </graph>\n</graphml>\n"


def _data(pairs: Iterable[tuple[str, Value]]) -> Iterator[str]:
    for key, value in pairs:
        yield f'      <data key="{key}">{escape(_xml(str(value)))}</data>\n'


def _attribute(text: str) -> str:
    return quoteattr(_xml(text))


def _xml(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def to_cypher(graph: Graph) -> Iterator[str]:
    """Statements for Neo4j, Memgraph and their kin; run twice, they change nothing the second time."""
    for node in graph.nodes:
        properties = {"name": node.name, **node.properties}
        sets = ", ".join(f"n.{_name(key)} = {_literal(value)}" for key, value in properties.items())
        yield f"MERGE (n:{_name(node.kind.title())} {{id: {_literal(node.id)}}}) SET {sets};\n"
    for edge in graph.edges:
        kinds = (_name(entity_kind(edge.source).title()), _name(entity_kind(edge.target).title()))
        yield (
            f"MATCH (a:{kinds[0]} {{id: {_literal(edge.source)}}}), (b:{kinds[1]} {{id: {_literal(edge.target)}}}) "
            f"MERGE (a)-[r:{_name(edge.pred.upper())}]->(b) "
            f"SET r.value = {_literal(edge.value)}, r.event = {_literal(edge.event)};\n"
        )


def _name(text: str) -> str:
    return text if text.isidentifier() and text.isascii() else "`" + text.replace("`", "``").translate(_CONTROL) + "`"


_CONTROL = dict.fromkeys(range(32), " ")


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return f"'{value.translate(_CYPHER_ESCAPES)}'"
