import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replicability.core import numbers


@given(st.floats(-1e6, 1e6) | st.floats(-0.1, 0.1), st.integers(0, 6))
def test_a_rounded_number_has_a_sign_unless_it_is_zero(value, decimals):
    text = numbers.rounded(value, decimals, plus="+", minus="−")
    assert float(text.replace("−", "-")) == round(value, decimals)
    assert text[0] == ("0" if round(value, decimals) == 0 else "+" if value > 0 else "−")


@pytest.mark.parametrize(
    ("value", "text"), [(-0.0, "0.0"), (-np.inf, "-inf"), (np.inf, "+inf"), (np.nan, "nan")]
)
def test_what_is_no_size_is_written_too(value, text):
    assert numbers.rounded(value, 1, plus="+") == text
