"""Fortune as a curve, and its six shapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.chronicle.sifter import Record, all_arcs
from talekeeper.chronicle.valence import VALENCE, Shape, curve, shape_of


@pytest.mark.parametrize(
    ("fortunes", "shape"),
    [
        ([0, 1, 2, 3], Shape.RISE),
        ([0, -1, -2], Shape.FALL),
        ([0, -2, -3, -1, 0], Shape.FALL_RISE),
        ([0, 2, 3, 1, 0], Shape.RISE_FALL),
        ([0, 3, 1, 0, 1, 3.5], Shape.RISE_FALL_RISE),
        ([0, -3, -1, 0, -1, -3.5], Shape.FALL_RISE_FALL),
    ],
)
def test_the_six_shapes(fortunes: list[float], shape: Shape):
    assert shape_of(fortunes) is shape


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=50))
def test_every_curve_has_a_shape_and_its_mirror_the_opposite(fortunes: list[float]):
    opposite = {
        Shape.RISE: Shape.FALL,
        Shape.FALL_RISE: Shape.RISE_FALL,
        Shape.RISE_FALL_RISE: Shape.FALL_RISE_FALL,
    }
    opposite |= {other: one for one, other in opposite.items()}
    if max(fortunes) - min(fortunes) > 0.01:
        assert shape_of([-fortune for fortune in fortunes]) is opposite[shape_of(fortunes)]


def test_a_thread_has_a_curve_with_the_events_behind_it():
    records = [
        Record(f"e{n}", kind, n, {})
        for n, kind in enumerate(["dispatch", "heartbeat", "error", "error", "recovery", "pr_merge"])
    ]
    thread = curve(records)
    assert thread is not None
    assert thread.shape is Shape.FALL_RISE
    assert thread.ids == ("e0", "e2", "e3", "e4", "e5")
    without_trouble = [record for record in records if record.kind != "error"]
    assert thread.end == pytest.approx(sum(VALENCE[record.kind] for record in without_trouble))
    assert curve([Record("e", "heartbeat", 1.0, {})]) is None


def test_every_kind_an_arc_listens_to_has_a_valence():
    heard = {kind for pattern in all_arcs() for step in pattern.steps for kind in step.kinds}
    assert heard <= set(VALENCE)
