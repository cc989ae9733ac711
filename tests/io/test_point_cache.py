"""A point cache holds what was written, byte for byte where programs look for it."""

import struct

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.io.point_cache import write_point_cache


def test_header_and_positions_stand_where_the_format_says(tmp_path):
    path, instants = tmp_path / "a.pc2", np.arange(24.0).reshape(2, 4, 3) / 7.0
    write_point_cache(path, instants)
    data = path.read_bytes()
    assert data[:12] == b"POINTCACHE2\0"
    assert struct.unpack("<ii", data[12:20]) == (1, 4)
    assert struct.unpack("<ff", data[20:28]) == (0.0, 1.0)
    assert struct.unpack("<i", data[28:32]) == (2,)
    assert data[32:] == instants.astype("<f4").tobytes()


@pytest.mark.parametrize("second", [np.zeros((3, 3)), np.full((4, 3), np.nan)])
def test_instants_that_do_not_fit_are_refused(second, tmp_path):
    with pytest.raises(InputError, match="instant 1"):
        write_point_cache(tmp_path / "a.pc2", [np.zeros((4, 3)), second])


def test_another_suffix_is_refused(tmp_path):
    with pytest.raises(InputError, match="pc2"):
        write_point_cache(tmp_path / "a.abc", [np.zeros((4, 3))])
