import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.solvers.problem_files import load_problem, save_problem
from hydrostat.solvers.problems import without_actuation
from hydrostat.solvers.qpcc.exploration import Start
from hydrostat.solvers.qpcc.samples import lattice_problem
from hydrostat.solvers.qpcc.solve import solve_qpcc


def test_a_problem_comes_back_to_the_bit(tmp_path):
    problem, path = lattice_problem(0, muscles=9), tmp_path / "deep" / "problem.npz"
    start = Start(np.linspace(0.0, 1.0, 9), np.array([0, 1, 2, 10]))
    save_problem(path, problem, start)
    again, known = load_problem(path)
    first, second = solve_qpcc(problem, "search", start=start), solve_qpcc(again, "search", start=known)
    assert first.actuation.tobytes() == second.actuation.tobytes()
    assert first.objective == second.objective
    save_problem(path, problem)
    assert load_problem(path)[1] == Start()


def test_contacts_alone_can_be_kept(stacked_boxes, tmp_path):
    save_problem(tmp_path / "stack.npz", without_actuation(stacked_boxes(2)))
    problem, _ = load_problem(tmp_path / "stack.npz")
    answer = solve_qpcc(problem)
    assert problem.size == 0 and answer.solved
    assert answer.impulses[::3].sum() == pytest.approx(3 * 0.0981)


def test_what_is_no_problem_is_refused(tmp_path):
    path = tmp_path / "problem.npz"
    with pytest.raises(InputError, match="no file"):
        load_problem(path)
    for content in (b"", b"PK\x03\x04 not really", b"\x80\x04"):
        path.write_bytes(content)
        with pytest.raises(InputError, match="is no NumPy archive"):
            load_problem(path)
    save_problem(path, lattice_problem(0, muscles=4, feet=1))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"problem\.npz"):
        load_problem(path)
    np.savez(path, a=np.zeros(3))
    with pytest.raises(InputError, match="format None"):
        load_problem(path)
    save_problem(path, lattice_problem(0, muscles=4, feet=1))
    with np.load(path) as archive:
        arrays = dict(archive)
    np.savez(path, **{name: value for name, value in arrays.items() if name != "friction"})
    with pytest.raises(InputError, match="lacks friction"):
        load_problem(path)
    np.savez(path, **arrays | {"gradient": np.full(7, np.nan)})
    with pytest.raises(InputError, match=r"gradient\[0\] is nan"):
        load_problem(path)
    np.savez(path, **arrays | {"lower": np.array(["a", "b", "c", "d"])})
    with pytest.raises(InputError, match="lower of type"):
        load_problem(path)
