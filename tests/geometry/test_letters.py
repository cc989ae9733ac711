"""Letters are closed, outward solids of the right size; fonts give the same kind of outlines."""

import builtins

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.glyphs import GLYPHS
from hydrostat.geometry.letters import (
    STROKE_RANGE,
    letter_surface,
    outline,
    outline_from_font,
    quadruped_x_surface,
)
from hydrostat.geometry.repair import diagnose, require_solid
from hydrostat.geometry.surfaces import area_vectors, face_volumes

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HOLES = dict.fromkeys("ADOPQR", 1) | {"B": 2}


def directed_edges(faces):
    return np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)


def assert_closed_and_outward(surface):
    edges = directed_edges(surface.faces)
    forward = set(map(tuple, edges.tolist()))
    assert len(forward) == len(edges)
    assert forward == {(end, start) for start, end in forward}
    assert np.linalg.norm(area_vectors(surface.vertices, surface.faces), axis=1).min() > 0
    require_solid(surface)


@pytest.mark.parametrize("letter", ALPHABET)
def test_letter_is_a_solid_of_area_times_depth(letter):
    surface = letter_surface(letter, height=2.0, depth=0.3)
    assert_closed_and_outward(surface)
    volume = face_volumes(surface.vertices, surface.faces).sum()
    assert volume == pytest.approx(outline(letter).area * 4 * 0.3, rel=1e-12)
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    width = 2 * GLYPHS[letter].width
    np.testing.assert_allclose(low, [-width / 2, 0, -0.15], atol=1e-12)
    np.testing.assert_allclose(high, [width / 2, 2, 0.15], atol=1e-12)


@pytest.mark.parametrize("letter", ALPHABET)
@pytest.mark.parametrize("stroke", [STROKE_RANGE[0], 0.18, 0.22, STROKE_RANGE[1]])
def test_outline_has_the_holes_of_its_letter_at_any_stroke(letter, stroke):
    shape = outline(letter, stroke)
    assert shape.is_valid
    assert len(shape.interiors) == HOLES.get(letter, 0)


def test_stroke_is_the_width_of_the_pen():
    # H: two legs and what the bar adds between them; the pen moves in a box of 0.8 − s by 1 − s.
    for stroke in (0.1, 0.2, 0.25):
        assert outline("H", stroke).area == pytest.approx(2 * stroke + (0.8 - 2 * stroke) * stroke, rel=1e-9)


def test_o_is_round_and_rests_on_an_edge():
    shape = outline("O")
    for ring, radius in ((shape.exterior, 0.5), (shape.interiors[0], 0.28)):
        distance = np.linalg.norm(np.array(ring.coords) - 0.5, axis=1)
        assert len(ring.coords) == 33
        np.testing.assert_allclose(distance, radius, rtol=0.01)
        np.testing.assert_allclose(distance, distance[0], rtol=1e-9)
    assert np.count_nonzero(np.abs(np.array(shape.exterior.coords)[:-1, 1]) < 1e-12) == 2


def test_lying_letter_is_the_standing_one_turned():
    standing, lying = letter_surface("F", depth=0.3), letter_surface("F", depth=0.3, lying=True)
    assert_closed_and_outward(lying)
    x, y, z = standing.vertices.T
    np.testing.assert_allclose(lying.vertices, np.column_stack([x, z + 0.15, 0.5 - y]), atol=1e-15)


def test_walls_follow_a_hole():
    import shapely

    frame = shapely.box(0, 0, 3, 2).difference(shapely.box(1, 0.5, 2, 1.5))
    surface = extrude(frame, 0.5)
    assert_closed_and_outward(surface)
    report = diagnose(surface)
    assert report.volume == pytest.approx(5 * 0.5)
    assert report.area == pytest.approx(2 * 5 + 0.5 * (10 + 4))


def test_quadruped_stands_on_four_flat_feet():
    surface = quadruped_x_surface(span=1.2, height=0.5, limb=0.2, foot=0.15)
    assert_closed_and_outward(surface)
    vertices = surface.vertices
    assert vertices[:, 1].max() == 0.5
    # Four soles of foot × limb, one in each quadrant.
    on_ground = (np.abs(vertices[surface.faces][:, :, 1]) < 1e-15).all(axis=1)
    soles = area_vectors(vertices, surface.faces)[on_ground]
    assert soles[:, 1].sum() == pytest.approx(-4 * 0.15 * 0.2)
    middles = vertices[surface.faces[on_ground]].mean(axis=1)
    assert set(map(tuple, np.sign(middles[:, [0, 2]]).astype(int))) == {(1, 1), (1, -1), (-1, 1), (-1, -1)}
    # The toes, 1.2 m apart on both diagonals, are flat and 0.2 m wide.
    diagonal = np.abs(vertices @ np.array([[1, 0, 1], [1, 0, -1]]).T).max(axis=0) / np.sqrt(2)
    np.testing.assert_allclose(diagonal, 0.6, rtol=1e-12)


def test_quadruped_looks_the_same_after_a_quarter_turn():
    vertices = quadruped_x_surface().vertices
    turned = vertices @ np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    distance = np.linalg.norm(vertices[:, None] - turned[None], axis=2).min(axis=1)
    np.testing.assert_allclose(distance, 0, atol=1e-12)


@pytest.fixture(scope="module")
def font(tmp_path_factory):
    """A TrueType font with an I (a box), an O of quadratic arcs with a hole, and two boxes as a colon."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    def box(pen, left, bottom, right, top):
        corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()

    def circle(pen, radius, handles):
        # Implied points only: a closed spline without a point on the curve.
        angles = 2 * np.pi * np.arange(8)[:: 1 if handles == "hole" else -1] / 8
        reach = radius / np.cos(np.pi / 8)
        pen.qCurveTo(*[(round(500 + reach * np.cos(a)), round(500 + reach * np.sin(a))) for a in angles], None)
        pen.closePath()

    glyphs = {}
    for name in (".notdef", "space", "I", "O", "colon"):
        pen = TTGlyphPen(None)
        if name == "I":
            box(pen, 100, 0, 300, 800)
        if name == "O":
            circle(pen, 500, "outside")
            circle(pen, 300, "hole")
        if name == "colon":
            box(pen, 0, 0, 100, 100)
            box(pen, 0, 300, 100, 400)
        glyphs[name] = pen.glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({ord("I"): "I", ord("O"): "O", ord(":"): "colon", ord(" "): "space"})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (1000, 0) for name in glyphs})
    builder.setupHorizontalHeader(ascent=800, descent=0)
    builder.setupPost()
    path = tmp_path_factory.mktemp("font") / "plain.ttf"
    builder.save(path)
    return path


def test_font_outlines_have_height_one(font):
    assert outline_from_font("I", font).area == pytest.approx(0.25)
    ring = outline_from_font("O", font)
    assert len(ring.interiors) == 1
    assert ring.area == pytest.approx(np.pi * (0.25 - 0.09), rel=0.02)
    surface = letter_surface("O", height=2.0, depth=0.4, font=font)
    assert_closed_and_outward(surface)
    np.testing.assert_allclose(surface.vertices.min(axis=0), [-1, 0, -0.2], atol=1e-3)


@pytest.mark.parametrize(("sign", "words"), [("Z", "no outline"), (" ", "no outline"), (":", "pieces")])
def test_font_without_a_usable_sign(font, sign, words):
    with pytest.raises(InputError, match=words):
        outline_from_font(sign, font)


def test_cubic_curves_pass_through_their_middle():
    from hydrostat.geometry.fonts import flattened

    commands = [
        ("moveTo", ((0, 0),)),
        ("curveTo", ((0, 8), (8, 8), (8, 0))),
        ("lineTo", ((4, -1),)),
        ("closePath", ()),
    ]
    (contour,) = flattened(commands)
    assert [4.0, 6.0] in contour.tolist()
    assert contour[-1].tolist() == [4.0, -1.0]


def test_font_file_that_is_none(tmp_path):
    path = tmp_path / "no.ttf"
    path.write_text("not a font")
    with pytest.raises(InputError, match="cannot be read as a font"):
        outline_from_font("A", path)
    with pytest.raises(InputError, match="cannot be read as a font"):
        outline_from_font("A", tmp_path / "missing.ttf")


def test_missing_fonttools_says_what_to_install(font, monkeypatch):
    true_import = builtins.__import__

    def without_fonttools(name, *args, **kwargs):
        if name.startswith("fontTools"):
            raise ImportError(name)
        return true_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_fonttools)
    with pytest.raises(InputError, match=r"hydrostat\[fonts\]"):
        outline_from_font("I", font)


@pytest.mark.parametrize(
    "call",
    [
        lambda: outline("a"),
        lambda: outline("AB"),
        lambda: outline("A", stroke=0.5),
        lambda: outline("A", stroke=float("nan")),
        lambda: letter_surface("A", height=0.0),
        lambda: letter_surface("A", depth=-1.0),
        lambda: quadruped_x_surface(limb=0.5),
        lambda: quadruped_x_surface(foot=0.45),
    ],
)
def test_impossible_sizes_are_refused(call):
    with pytest.raises(InputError):
        call()
