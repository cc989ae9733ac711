import numpy as np
import pytest

from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.friction import DIRECTIONS, friction_polygons, isotropic
from hydrostat.solvers.iterations import classify
from hydrostat.solvers.pieces import (
    FREE,
    PIECES,
    SLIDE_ALONG,
    SLIDE_BETWEEN,
    STICK,
    equations,
    exist,
    modes_of,
)
from hydrostat.solvers.qpcc.cells import cell_table
from hydrostat.solvers.qpcc.places import distances

OCTAGON = isotropic(np.array([0.5]))
ANISOTROPIC = np.array([[0.5, 0.3, 0.2, 0.0, 0.0, 0.1, 0.4, 0.6]])
SEGMENT = np.array([[0.5, 0, 0, 0, 0.2, 0, 0, 0]])
SHAPES = [OCTAGON, ANISOTROPIC, SEGMENT, np.zeros((1, 8))]


CLEARANCE = np.array([0.7])


def on_piece(piece, polygons):
    """An impulse and a velocity well inside of ``piece``."""
    p, w = np.array([2.0, 0.0, 0.0]), np.array([-0.7, 0.0, 0.0])
    if piece == FREE:
        return np.zeros(3), np.array([-0.6, 0.2, -0.1])
    if piece == STICK:
        p[1:] = 2.0 * 0.9 * polygons.corners[0].mean(axis=0)
        return p, w
    k = (piece - SLIDE_ALONG) % 8
    after = polygons.successors[0, k]
    out = np.array([polygons.edges[0, k, 1], -polygons.edges[0, k, 0]])
    if piece >= SLIDE_BETWEEN:
        p[1:] = 2.0 * (0.3 * polygons.corners[0, k] + 0.7 * polygons.corners[0, after])
    else:
        p[1:] = 2.0 * polygons.corners[0, k]
        before = polygons.edges[0, polygons.predecessors[0, k]]
        out = out + np.array([before[1], -before[0]])
        if after == k:
            out = np.array([0.6, 0.2])
        elif polygons.successors[0, after] == k:
            out = -polygons.edges[0, k] + 0.2 * np.array([before[1], -before[0]])
    w[1:] = -0.4 * out
    return p, w


def existing(polygons):
    return [piece for piece in range(PIECES) if exist(np.array([piece]), polygons)]


@pytest.mark.parametrize(("friction", "number"), list(zip(SHAPES, (18, 14, 6, 3), strict=True)))
def test_a_corner_and_an_edge_have_a_piece_each(friction, number):
    polygons = friction_polygons(friction)
    corners = (polygons.successors >= 0).sum()
    edges = corners if corners > 1 else 0
    assert len(existing(polygons)) == 2 + corners + edges == number


@pytest.mark.parametrize("friction", SHAPES)
def test_a_point_on_a_piece_fulfils_its_conditions_and_is_found_again(friction):
    polygons = friction_polygons(friction)
    for piece in existing(polygons):
        p, w = on_piece(piece, polygons)
        assert np.abs(equation_error(piece, p, w, polygons)).max() <= 1e-15
        assert off(piece, p, w, polygons) <= 1e-15
        found, distance = classify(p, w, CLEARANCE, polygons)
        assert distance <= 1e-15
        if piece != STICK or (polygons.successors >= 0).sum() > 2:  # on a thin cone, sticking is a slide at rest
            assert found[0] == piece


def test_each_octagon_piece_is_the_only_one_at_its_points():
    polygons = friction_polygons(OCTAGON)
    for piece in existing(polygons):
        p, w = on_piece(piece, polygons)
        for other in (SLIDE_ALONG + 3, SLIDE_BETWEEN + 6, FREE):
            if other != piece:
                assert off(other, p, w, polygons) > 1e-3


def off(piece, p, w, polygons):
    """How far impulse and velocity are from a piece, by the conditions that control problems have of it."""
    every = np.ones((1, PIECES), dtype=bool)
    return distances(cell_table(polygons), every, CLEARANCE, p, w)[0, piece]


def equation_error(piece, p, w, polygons):
    # W = 1 and constants w - p, so that p solves the system exactly where the equations hold
    matrix, right = equations(np.array([piece]), np.eye(3), (w - p)[:, None], CLEARANCE, polygons)
    return matrix @ p - right[:, 0]


def test_an_approaching_contact_tends_to_slide_the_way_it_moves():
    for k in range(8):
        w = np.array([-1.0, *(-3.0 * DIRECTIONS[k])])
        pieces, distance = classify(np.zeros(3), w, np.zeros(1), friction_polygons(OCTAGON))
        assert pieces.tolist() == [SLIDE_ALONG + k] and distance == 1.0


def test_pieces_that_do_not_exist():
    point = friction_polygons(np.zeros((1, 8)))
    assert not exist(np.array([SLIDE_BETWEEN]), point)
    assert not exist(np.array([SLIDE_ALONG + 5]), point)
    assert not exist(np.array([PIECES]), point) and not exist(np.array([-1]), point)


def test_modes_are_words_for_pieces():
    assert modes_of(np.array([FREE, STICK, SLIDE_ALONG, SLIDE_BETWEEN + 7])).tolist() == [0, 1, 2, 2]


@pytest.mark.parametrize("k", range(8))
def test_sliding_pieces_follow_the_direction_of_motion(body_on_ground, k):
    # moving against direction k, friction acts along it
    solution = solve_contact(body_on_ground([-1.0, *(-5.0 * DIRECTIONS[k])]))
    assert solution.pieces.tolist() == [SLIDE_ALONG + k]
    # The hull's edge keeps its direction only if no velocity is left along it
    edge = np.array([np.cos((k + 0.5) * np.pi / 4), np.sin((k + 0.5) * np.pi / 4)])
    solution = solve_contact(body_on_ground([-1.0, *(-5.0 * edge)]))
    assert solution.pieces.tolist() == [SLIDE_BETWEEN + k]
