from fractions import Fraction

import pytest
from claims import claim
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replicability import forensics


@pytest.mark.slow
@given(k=st.integers(0, 40), n=st.integers(1, 40), digits=st.integers(1, 4))
def test_granularity_by_fractions(k, n, digits):
    share = f"{k / 40:.{digits}f}"
    half = Fraction(1, 2 * 10**digits)
    inside = [i for i in range(n + 1) if abs(Fraction(i, n) - Fraction(share)) <= half]
    found = forensics.granularity(claim(share), n).grade
    assert found == (forensics.UNCHECKED if inside else forensics.IMPOSSIBLE)


def test_a_limit_of_wilsons_interval_by_scipy():
    found = forensics.wilson(claim("0.7825"), "0.8005", 2000, "low")
    assert found.grade == forensics.WITHIN_ROUNDING
    assert forensics.wilson(claim("0.7824"), "0.8005", 2000, "low").grade == forensics.REPRODUCED
    assert stats.binomtest(1601, 2000).proportion_ci(method="wilson").low == pytest.approx(
        float(found.recomputed.split()[0]), rel=1e-5
    )
    assert forensics.wilson(claim("0.8005"), "0.8005", 2000, "low").grade == forensics.CONTRADICTED


@given(st.lists(st.integers(0, 12), min_size=1, max_size=5), st.integers(1, 12))
def test_smallest_grid_by_fractions(right, n):
    shares = [f"{min(k, n) / n:.3f}" for k in right]
    half = Fraction(1, 2000)

    def fits(m):
        return all(
            any(abs(Fraction(i, m) - Fraction(share)) <= half for i in range(m + 1))
            for share in shares
        )

    assert forensics.smallest_grid(shares) == next(m for m in range(1, n + 1) if fits(m))


def test_no_small_grid_holds_unlike_shares():
    assert forensics.smallest_grid(["0.3333", "0.5001"], most=50) is None
    assert [forensics.smallest_grid(["0.333", "0.5"], most=n) for n in (5, 6)] == [None, 6]
