"""Whole pictures: what is where, what shows through, where shadow falls, and always the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from show_shapes import box, front_camera

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.show.colours import LIGHT_TO_BYTE, activation_colours, linear_to_srgb, srgb_to_linear
from hydrostat.show.render import draw
from hydrostat.show.scene3d import (
    ArrowItem,
    DiscItem,
    HeightfieldGround,
    Label,
    MarkerItem,
    MeshItem,
    Picture,
    PlaneGround,
    TubeItem,
)
from hydrostat.show.shadow import shadow_of
from hydrostat.show.solids import tube

SIZE = (64, 48)
MIDDLE = (24, 32)
LEVEL = PlaneGround(np.array([0.0, 1.0, 0.0]), 0.0, 0.5)


def pixel(picture: Picture, place: tuple[int, int] = MIDDLE) -> Floats:
    return draw(picture, SIZE)[place].astype(float)


def cube(opacity: float, colour: tuple[float, float, float] = (0.1, 0.6, 0.8), z: float = 0.0) -> MeshItem:
    return MeshItem(*box((-0.5, -0.5, z - 0.5), (0.5, 0.5, z + 0.5)), colour, opacity)


def test_an_empty_picture_is_the_sky() -> None:
    image = draw(Picture(front_camera()), SIZE)
    assert image.shape == (48, 64, 3)
    assert (image == image[:, :1]).all()
    assert (np.diff(image[:, 0].astype(int), axis=0) >= 0).all()


def test_a_cube_stands_where_the_camera_projects_it() -> None:
    bare, with_cube = (draw(Picture(front_camera(), meshes), SIZE) for meshes in ((), (cube(1.0),)))
    rows, columns = np.nonzero((bare != with_cube).any(axis=-1))
    half = 0.5 / 5.5 * front_camera().focal_length(48)
    assert (rows.min(), rows.max()) == (round(24 - half), round(24 + half) - 1)
    assert (columns.min(), columns.max()) == (round(32 - half), round(32 + half) - 1)


def test_a_translucent_body_blends_what_is_behind_with_its_own_colour() -> None:
    red = MarkerItem(np.zeros(3), 0.2, (0.9, 0.05, 0.05))
    bare = pixel(Picture(front_camera(), markers=(red,)))
    through = [pixel(Picture(front_camera(), (cube(opacity),), markers=(red,))) for opacity in (0.2, 0.8)]
    hidden = pixel(Picture(front_camera(), (cube(1.0),), markers=(red,)))
    assert bare[0] > through[0][0] > through[1][0] > hidden[0]
    assert bare[2] < through[0][2] < through[1][2] < hidden[2]


def test_what_is_deeper_inside_is_fainter() -> None:
    def red_at(z: float) -> float:
        red = MarkerItem(np.array([0.0, 0.0, z]), 0.1, (0.9, 0.05, 0.05))
        return float(pixel(Picture(front_camera(), (cube(0.6),), markers=(red,)))[0])

    assert red_at(0.6) > red_at(0.3) + 10 > red_at(-0.2) + 20


def test_the_nearer_of_two_translucent_bodies_prevails_in_either_order() -> None:
    near, far = cube(0.9, (0.9, 0.1, 0.1), 1.0), cube(0.9, (0.1, 0.1, 0.9), -1.0)
    images = [draw(Picture(front_camera(), pair), SIZE) for pair in ((near, far), (far, near))]
    assert (images[0] == images[1]).all()
    assert images[0][MIDDLE][0] > images[0][MIDDLE][2] + 40


def test_a_solid_hides_the_body_behind_it() -> None:
    front = MarkerItem(np.array([0.0, 0.0, 2.0]), 0.2, (0.9, 0.05, 0.05))
    alone, both = (pixel(Picture(front_camera(), meshes, markers=(front,))) for meshes in ((), (cube(0.5),)))
    assert (alone == both).all()


def test_the_shadow_is_dark_under_the_body_and_darker_when_it_touches() -> None:
    ground = replace(LEVEL, cell=1e6)  # one tile: no checker

    def under(lift: float) -> tuple[float, float]:
        item = MeshItem(*box((-0.5, lift, -0.5), (0.5, lift + 0.4, 0.5)), opacity=0.02)
        camera = replace(front_camera(3.0), field_of_view=50.0)
        image = draw(Picture(camera, (item,), ground=ground), SIZE).astype(float)
        column, row, _ = camera.project([[0.0, 0.0, 0.0]], SIZE)[0]
        away, _, _ = camera.project([[-2.0, 0.0, 0.0]], SIZE)[0]
        return image[int(row), int(column)].sum(), image[int(row), int(away)].sum()

    touching, away = under(0.0)
    lifted, same_away = under(0.5)
    assert touching < lifted - 30 < away - 60
    assert same_away == pytest.approx(away, abs=6)


def test_the_contact_shadow_belongs_to_what_touches() -> None:
    tangents, light = np.eye(3)[[0, 2, 1]], np.array([0.0, 1.0, 0.0])

    def strongest(lift: float) -> tuple[float, float]:
        points, faces = box((-0.5, lift, -0.5), (0.5, lift + 0.4, 0.5))
        shadow = shadow_of(points, faces, LEVEL, tangents, light)
        place = shadow.axes @ [0.0, 0.0, 0.0, 1.0]
        assert place == pytest.approx(0.5 * np.array(shadow.cast.shape) - 0.5)
        return float(shadow.cast.max()), float(shadow.contact.max())

    assert strongest(0.0) == pytest.approx((1.0, 1.0), abs=0.01)
    cast, contact = strongest(0.3)
    assert 0.6 < cast < 0.8
    assert contact < 0.01


def test_the_ground_is_checkered() -> None:
    image = draw(Picture(front_camera(0.5), ground=LEVEL), (320, 240))
    assert np.ptp(image[118:122, 100:220].astype(float).sum(axis=-1)) > 25


def test_the_ground_fades_into_the_sky() -> None:
    camera, size = front_camera(0.5), (320, 240)
    one_tile = replace(LEVEL, cell=1e6)
    difference = np.abs(draw(Picture(camera, ground=one_tile), size).astype(float) - draw(Picture(camera), size)).sum(
        axis=(1, 2)
    )
    near, far, farther, beyond = (
        difference[int(camera.project([[0.0, 0.0, z]], size)[0, 1])] for z in (0.0, -8.0, -12.0, -20.0)
    )
    assert near > 1.4 * far > 2.0 * farther > 0.0
    assert beyond == 0.0
    assert not difference[:60].any()


def test_a_flat_heightfield_looks_like_the_plane() -> None:
    field = HeightfieldGround(np.array([-1.0, -2.0]), 0.5, np.zeros((9, 5)), 0.5)
    camera = front_camera(2.0)
    item = MeshItem(*box((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5)))
    images = [draw(Picture(camera, (item,), ground=ground), SIZE).astype(int) for ground in (LEVEL, field)]
    assert np.abs(images[0] - images[1]).max() <= 2


def test_heights_over_a_heightfield_are_bilinear() -> None:
    rows, columns = np.meshgrid(np.arange(3), np.arange(4), indexing="ij")
    field = HeightfieldGround(np.array([1.0, 2.0]), 0.5, 10.0 * rows + columns)
    points = np.array([[1.0 + 0.5 * 2.25, 30.0, 2.0 + 0.5 * 1.5], [-9.0, 1.0, -9.0], [99.0, 1.0, 99.0]])
    assert field.heights(points) == pytest.approx([30.0 - 17.25, 1.0, 1.0 - 23.0])


def test_from_below_the_ground_hides_nothing() -> None:
    camera = front_camera(-1.0)
    images = [draw(Picture(camera, (cube(1.0),), ground=ground), SIZE) for ground in (None, LEVEL)]
    assert (images[0] == images[1]).all()


def test_tubes_show_their_activation() -> None:
    points = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    image = draw(Picture(front_camera(), tubes=(TubeItem(points, np.array([0.0, 1.0]), 0.2),)), SIZE)
    calm, hot = image[24, 25].astype(int), image[24, 39].astype(int)
    assert calm[2] > calm[0]
    assert hot[0] > 3 * hot[2]


def test_activation_colours_run_from_blue_grey_to_red() -> None:
    colours = activation_colours([-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0])
    assert (colours[0] == colours[1]).all()
    assert (colours[-1] == colours[-2]).all()
    warmth = colours[1:-1, 0] - colours[1:-1, 2]
    assert (np.diff(warmth) > 0.05).all()


def test_linear_light_and_bytes_are_inverse() -> None:
    values = np.linspace(0.0, 1.0, 256)
    assert linear_to_srgb(srgb_to_linear(values)) == pytest.approx(values)
    assert LIGHT_TO_BYTE[0] == 0
    assert LIGHT_TO_BYTE[-1] == 255


def test_arrows_end_at_their_tip_and_discs_lie_on_the_ground() -> None:
    camera = front_camera(2.0)
    arrow = ArrowItem(np.zeros(3), np.array([0.0, 1.0, 0.0]), 0.03, (1.0, 0.0, 0.0))
    disc = DiscItem(np.array([-1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), 0.2, (0.0, 0.6, 0.0))
    bare, image = (
        draw(Picture(camera, discs=discs, arrows=arrows, ground=LEVEL), (320, 240)).astype(int)
        for discs, arrows in (((), ()), ((disc,), (arrow,)))
    )
    rows, columns = np.nonzero((np.abs(bare - image) > 20).any(axis=-1))
    tip = camera.project([[0.0, 1.0, 0.0]], (320, 240))[0]
    assert rows.min() == pytest.approx(tip[1], abs=3)
    spot = camera.project([[-1.0, 0.0, 0.0]], (320, 240))[0].astype(int)
    assert image[spot[1], spot[0], 1] > image[spot[1], spot[0], 0] + 30
    assert columns.min() < spot[0] - 5


def test_an_arrow_of_no_length_and_an_empty_tube_draw_nothing() -> None:
    nothing = Picture(
        front_camera(),
        tubes=(TubeItem(np.zeros((1, 3)), np.zeros(0), 0.1),),
        arrows=(ArrowItem(np.zeros(3), np.zeros(3), 0.1),),
    )
    assert (draw(nothing, SIZE) == draw(Picture(front_camera()), SIZE)).all()


@pytest.mark.parametrize("offset", [0.0, 1e-7])
def test_a_folded_fibre_is_a_tube(offset: float) -> None:
    points = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, offset, 0.0], [-1.0, offset, 0.0]])
    rings = tube(TubeItem(points, np.ones(3), 0.1))
    distance = np.linalg.norm(rings.vertices[:, 1:], axis=1)
    assert np.linalg.norm(rings.normals, axis=1) == pytest.approx(1.0)
    assert distance.max() == pytest.approx(0.1)


def test_labels_stand_in_their_corners() -> None:
    labels = (Label("upper", height=0.2), Label("lower", "lower right", 0.2))
    bare, image = (draw(Picture(front_camera(), labels=some), (96, 72)) for some in ((), labels))
    changed = (bare != image).any(axis=-1)
    assert changed[:30, :70].any()
    assert changed[-30:, 50:80].any()
    assert not changed[30:-30].any()


def test_a_camera_inside_a_body_draws() -> None:
    item = MeshItem(*box((-9.0, -9.0, -9.0), (9.0, 9.0, 9.0)))
    assert draw(Picture(front_camera(), (item,)), SIZE).shape == (48, 64, 3)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e13])
def test_what_is_not_finite_is_named(value: float) -> None:
    vertices, faces = box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    vertices[3, 1] = value
    with pytest.raises(
        InputError, match="mesh vertices with 1 rows that are not finite or absurdly large, the first at 3"
    ):
        MeshItem(vertices, faces)
    with pytest.raises(InputError, match="tube values"):
        TubeItem(np.zeros((2, 3)), np.array([value]), 0.1)
    with pytest.raises(InputError, match="arrow vector"):
        ArrowItem(np.zeros(3), np.array([0.0, value, 0.0]), 0.1)


def test_wrong_shapes_are_named() -> None:
    vertices, faces = box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    with pytest.raises(InputError, match="vertices 0 to 7"):
        MeshItem(vertices[:7], faces)
    with pytest.raises(InputError, match=r"tube values of shape \(3,\)"):
        TubeItem(np.zeros((3, 3)), np.zeros(3), 0.1)
    with pytest.raises(InputError, match="opacity"):
        MeshItem(vertices, faces, opacity=0.0)
    with pytest.raises(InputError, match="size"):
        draw(Picture(front_camera()), (0, 48))


def everything() -> Picture:
    """One of each kind of item, few enough for plain Python."""
    return Picture(
        front_camera(2.0),
        (cube(0.5), MeshItem(*box((0.8, 0.0, 0.0), (1.2, 0.4, 0.4)), opacity=1.0)),
        (TubeItem(np.array([[-0.3, 0, 0], [0.3, 0.1, 0]]), np.array([0.7]), 0.1),),
        (DiscItem(np.array([-1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), 0.2, (0.1, 0.6, 0.3)),),
        (ArrowItem(np.array([-1.0, 0.0, 0.0]), np.array([0.0, 0.8, 0.0]), 0.05),),
        (MarkerItem(np.array([1.0, 1.0, 0.0]), 0.1, shape="cross"),),
        LEVEL,
    )


def test_the_same_picture_gives_the_same_bytes() -> None:
    assert draw(everything()).tobytes() == draw(everything()).tobytes()


def test_without_the_compiler_the_picture_is_the_same() -> None:
    command = "from test_render import draw, everything; print(draw(everything(), (32, 24)).tobytes().hex())"
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", command],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": here},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    plain = np.frombuffer(bytes.fromhex(done.stdout), dtype=np.uint8).astype(int)
    compiled = draw(everything(), (32, 24)).ravel().astype(int)
    # Exponentials of the two may differ in the last digit, and then a byte by one.
    assert np.abs(plain - compiled).max() <= 1
    assert np.mean(plain != compiled) < 0.001
