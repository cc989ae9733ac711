"""Cells: each contains all that it splits into, and a group is no larger than the hull of its pieces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.solvers.friction import friction_polygons
from hydrostat.solvers.pieces import FREE, SLIDE_ALONG, SLIDE_BETWEEN, STICK
from hydrostat.solvers.qpcc.cells import ANY, CELLS, NEGATIVE, NONE, POSITIVE, ZERO, cell_table

FRICTION = st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8]), min_size=8, max_size=8)


def off(table, cell, impulse, velocity):
    """By how much an impulse and a velocity (3,) violate the rows of a cell and of those that it is part of."""
    state, worst = np.concatenate([impulse, velocity]), 0.0
    while cell >= 0:
        for row, kind in zip(table.members[0, cell], table.kinds[0, cell], strict=True):
            if kind == NONE:
                break
            value = table.rows[0, row] @ state
            worst = max(worst, {ZERO: abs(value), POSITIVE: -value, NEGATIVE: value}[int(kind)])
        cell = table.parents[0, cell]
    return worst


def on_pieces(polygons, rng):
    """Random points (piece, impulse, velocity) of all pieces, by their definition."""
    corners, successors, edges = polygons.corners[0], polygons.successors[0], polygons.edges[0]
    around = [k for k in range(8) if successors[k] >= 0]
    yield FREE, np.zeros(3), np.array([rng.random(), *rng.normal(size=2)])
    shares = rng.dirichlet(np.ones(len(around)))
    normal = rng.random()
    yield STICK, normal * np.array([1.0, *(shares @ corners[around])]), np.zeros(3)
    outward = {k: np.array([edges[k][1], -edges[k][0]]) for k in around}
    for k in around:
        before = next(j for j in around if successors[j] == k)
        if len(around) == 1:
            slip = rng.normal(size=2)
        elif len(around) == 2:  # every direction that is not against the edge
            slip = rng.normal() * outward[k] - rng.random() * edges[k]
        else:
            slip = rng.random() * outward[k] + rng.random() * outward[before]
        yield SLIDE_ALONG + k, normal * np.array([1.0, *corners[k]]), np.array([0.0, *-slip])
        if len(around) > 1:
            share = rng.random()
            between = share * corners[k] + (1 - share) * corners[successors[k]]
            slip = -rng.random() * outward[k]
            yield SLIDE_BETWEEN + k, normal * np.array([1.0, *between]), np.array([0.0, *slip])


@settings(max_examples=150, deadline=None)
@given(FRICTION, st.integers(0, 1000))
def test_every_piece_lies_in_all_cells_above_it(friction, seed):
    polygons = friction_polygons(np.array([friction]))
    table, rng = cell_table(polygons), np.random.default_rng(seed)
    for _ in range(5):
        for piece, impulse, velocity in on_pieces(polygons, rng):
            assert off(table, piece, impulse, velocity) < 1e-12, (piece, impulse, velocity)


@given(FRICTION)
def test_every_piece_is_reached_once(friction):
    polygons = friction_polygons(np.array([friction]))
    table, reached, cells = cell_table(polygons), [], [ANY]
    while cells:
        cell = cells.pop()
        children = [int(child) for child in table.children[0, cell] if child >= 0]
        assert all(table.parents[0, child] == cell for child in children)
        cells += children
        if not children:
            reached.append(cell)
    along = np.flatnonzero(polygons.successors[0] >= 0)
    between = [k for k in along if polygons.successors[0, k] != k]
    assert sorted(reached) == sorted([FREE, STICK, *(SLIDE_ALONG + along), *(SLIDE_BETWEEN + np.array(between, int))])


@pytest.mark.parametrize("friction", [np.full(8, 0.5), np.array([5.0, *np.full(7, 0.5)])])
def test_a_point_off_its_piece_is_noticed(friction):
    polygons = friction_polygons(friction[None])
    table, rng = cell_table(polygons), np.random.default_rng(0)
    for piece, impulse, velocity in on_pieces(polygons, rng):
        if piece != FREE:
            assert off(table, piece, impulse, velocity + [0.1, 0.0, 0.0]) > 1e-3
            assert off(table, piece, impulse + [-1.0, 0.0, 0.0], velocity) > 1e-3
    assert CELLS > ANY
