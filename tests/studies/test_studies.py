"""Every study's small version: it measures what the paper claims, or says that it did not."""

from dataclasses import replace

import pytest

from hydrostat.errors import InputError
from hydrostat.scenes import SCENES
from hydrostat.scenes.scene import Demand, Settings
from hydrostat.solvers.problem_files import save_problem
from hydrostat.solvers.qpcc.samples import lattice_problem
from hydrostat.studies import STUDIES, load_study
from hydrostat.studies.study import Claim, Options, table
from hydrostat.studies.t2012_jitter import failed_demands


@pytest.mark.parametrize("name", STUDIES)
def test_small_versions_measure_and_print(name, tmp_path):
    study, file = load_study(name), None
    if study.file:
        file = tmp_path / "problem.npz"
        save_problem(file, lattice_problem(0))
    findings = study.measure(Options(tmp_path, small=True, file=file))
    assert study.name == name
    assert findings.numbers.keys() <= {claim.quantity for claim in study.claims()}
    assert len(table(study.claims(), findings.numbers)) == 2 + len(study.claims())
    assert all(isinstance(line, str) for line in findings.lines) and findings.lines


def test_failures_stay_visible():
    claims = [Claim("speed", 2.0, "m/s", "Table 9", "more"), Claim("size", 3.0, "m", "Table 9", "near")]
    slow, missing = table(claims, {"speed": 1.0})[2:]
    assert "fails" in slow and "0.50" in slow
    assert "not measured" in missing


def test_a_demand_that_does_not_hold_is_named():
    assert failed_demands(SCENES["ramp-stop"], Settings()) == []
    greedy = replace(SCENES["ramp-stop"], demands=(Demand("distance", least=9.0),))
    assert failed_demands(greedy, Settings()) == ["distance ≥ 9"]


def test_unknown_studies_list_the_known():
    with pytest.raises(InputError, match="t2012-table1"):
        load_study("t2012-table9")
