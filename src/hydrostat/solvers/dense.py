"""Small dense algebra inside compiled code.

NumPy's BLAS would start threads from about 96 rows on, which costs milliseconds where a whole solve takes
less.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def product(matrix, vector):  # type: ignore[no-untyped-def]
    """matrix (r, n) times vector (n,)."""
    result = np.zeros(matrix.shape[0])
    for i in range(matrix.shape[0]):
        total = 0.0
        for j in range(matrix.shape[1]):
            total += matrix[i, j] * vector[j]
        result[i] = total
    return result


@njit(cache=True)
def eliminate(matrix, right):  # type: ignore[no-untyped-def]
    """Solve matrix (n, n) X = right (n, k) by elimination with row pivots, in place: ``right`` becomes X.

    Returns False, with both arrays spoilt, where a pivot is zero.
    """
    n = matrix.shape[0]
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        if not abs(matrix[pivot, k]) > 0.0:
            return False
        if pivot != k:
            for j in range(k, n):
                matrix[k, j], matrix[pivot, j] = matrix[pivot, j], matrix[k, j]
            for j in range(right.shape[1]):
                right[k, j], right[pivot, j] = right[pivot, j], right[k, j]
        for i in range(k + 1, n):
            factor = matrix[i, k] / matrix[k, k]
            if factor != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= factor * matrix[k, j]
                for j in range(right.shape[1]):
                    right[i, j] -= factor * right[k, j]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            factor = matrix[k, i]
            if factor != 0.0:
                for j in range(right.shape[1]):
                    right[k, j] -= factor * right[i, j]
        for j in range(right.shape[1]):
            right[k, j] /= matrix[k, k]
    return True
