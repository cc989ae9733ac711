"""T2012 Figure 3: a problem of two variables, and how pivoting a constraint finds its best point.

Minimise |(x, y) − C|² subject to 0 ≤ x ⟂ x − y − 2 ≥ 0. It is a frictionless contact: x its impulse, y the actuation,
x − y − 2 the velocity at which it opens.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from hydrostat.solvers.pieces import FREE, STICK
from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc.solve import solve_pieces
from hydrostat.studies.study import Findings, Options, Study

CENTRE = (2.5, -0.5)  # where the objective would be least
FAR = 6.0  # bound of |y|, beyond the picture
SIZE, SCALE, ORIGIN = (640, 640), 90.0, (150.0, 240.0)  # of the picture, pixels


def problem() -> ControlProblem:
    """The example as a control problem with one actuator and one contact."""
    contact = ContactProblem(
        delassus=np.diag([1.0, 1.0, 1.0]),
        velocities=np.array([-2.0, 0.0, 0.0]),
        clearance=np.zeros(1),
        friction=np.zeros((1, 8)),
    )
    x, y = CENTRE
    return ControlProblem(
        hessian=np.diag([2.0, 2.0, 0.0, 0.0]),
        gradient=np.array([-2.0 * y, -2.0 * x, 0.0, 0.0]),
        lower=np.array([-FAR]),
        upper=np.array([FAR]),
        response=np.array([[-1.0], [0.0], [0.0]]),
        contacts=contact,
        impulse_effort=0.0,
        constant=x * x + y * y,
    )


def measure(options: Options) -> Findings:
    """Solve both pieces and draw them."""
    example = problem()
    free, touching = (solve_pieces(example, np.array([piece])) for piece in (FREE, STICK))
    points = [(float(answer.impulses[0]), float(answer.actuation[0])) for answer in (free, touching)]
    path = options.out / "t2012-figure3.png"
    _draw(path, points)
    lines = [
        f"(b) x = 0: the best point is ({points[0][0]:.4f}, {points[0][1]:.4f}), objective {free.objective:.4f}; "
        "it lies on the bound x − y − 2 ≥ 0.",
        f"(c) pivoted to x − y − 2 = 0: ({points[1][0]:.4f}, {points[1][1]:.4f}), objective {touching.objective:.4f}.",
        f"Picture: {path}",
    ]
    return Findings({}, lines)


def _draw(path: Path, points: list[tuple[float, float]]) -> None:
    """The feasible region, level lines of the objective, and the best points before and after the pivot."""
    image = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(image)
    for radius in np.arange(0.5, 6.0, 0.5):
        box = [_pixel(CENTRE[0] - radius, CENTRE[1] + radius), _pixel(CENTRE[0] + radius, CENTRE[1] - radius)]
        draw.ellipse(box, outline=(225, 230, 235))
    for start, end in (((-2.0, 0.0), (6.0, 0.0)), ((0.0, -6.0), (0.0, 3.0))):
        draw.line([_pixel(*start), _pixel(*end)], fill=(190, 195, 200))
    for start, end in (((0.0, -2.0), (0.0, -6.0)), ((0.0, -2.0), (5.0, 3.0))):
        draw.line([_pixel(*start), _pixel(*end)], fill="black", width=4)
    for (x, y), colour in zip((CENTRE, *points), ((150, 150, 150), (240, 150, 40), (30, 140, 90)), strict=True):
        across, down = _pixel(x, y)
        draw.ellipse([across - 8, down - 8, across + 8, down + 8], fill=colour)
    for text, (x, y) in (("x", (4.9, -0.1)), ("y", (0.1, 2.4)), ("(b)", points[0]), ("(c)", points[1])):
        across, down = _pixel(x, y)
        draw.text((across + 14, down - 6), text, fill=(40, 40, 40), font_size=18)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


def _pixel(x: float, y: float) -> tuple[float, float]:
    return ORIGIN[0] + SCALE * x, ORIGIN[1] - SCALE * y


STUDY = Study("t2012-figure3", "a quadratic program with one complementarity", measure)
