import numpy as np
import pytest

from replicability import checks, forensics
from replicability.forensics import printed


@pytest.mark.parametrize(
    ("text", "low", "value", "high"),
    [
        ("0.0099", 0.00985, 0.0099, 0.00995),
        ("1.12e-08", 1.115e-08, 1.12e-08, 1.125e-08),
        ("1,000", 999.5, 1000, 1000.5),
        ("<1,234.5", 0, 1234.5, 1234.5),
        ("2e-5", 1.5e-5, 2e-5, 2.5e-5),
        ("0.0", 0, 0, 0.05),
        ("12", 11.5, 12, 12.5),
        (".9646", 0.96455, 0.9646, 0.96465),
        ("9.75%", 0.09745, 0.0975, 0.09755),
        ("14e-2", 0.135, 0.14, 0.145),
        ("~0.12%", 0.00115, 0.0012, 0.00125),
        ("50k", 49_500, 50_000, 50_500),
        ("<0.001", 0, 0.001, 0.001),
        (">1/2", 0.5, 0.5, np.inf),
        ("1/6", 1 / 6.5, 1 / 6, 1 / 5.5),
    ],
)
def test_printed_interval(text, low, value, high):
    found = forensics.printed_interval(text)
    assert (found.low, found.value, found.high) == pytest.approx((low, value, high), rel=1e-8)


def test_one_half_is_not_above_one_half():
    assert 0.5 not in forensics.printed_interval(">1/2")
    assert 0.51 in forensics.printed_interval(">1/2")


def test_a_printed_zero_is_as_small_as_the_finest_digit_of_its_column():
    low, high = forensics.printed_pvalues(["0", "0.0420", "1.5e-7", "<0.001"])
    np.testing.assert_allclose(low, [0, 0.04195, 1.45e-7, 0])
    np.testing.assert_allclose(high, [0.5e-8, 0.04205, 1.55e-7, 0.001])


def test_shown():
    assert [forensics.shown(text) for text in ("14e-2", "28e3", "1.12e-08", "<0.001")] == [
        "14%",
        "28k",
        "1.12e-08",
        "<0.001",
    ]


def test_bad_input_by_message():
    with pytest.raises(
        checks.InputError, match=r"'n\.s\.' is not a printed number such as 0\.0979"
    ):
        forensics.printed_interval("n.s.")


@pytest.mark.parametrize(
    "text", ["0,001", "81,5", "12,34", "1,0000", "<0,05", "1/0,5", ",5", "1,5%"]
)
def test_a_decimal_comma_is_no_printed_number(text):
    with pytest.raises(checks.InputError, match="write decimals with a point"):
        forensics.printed_interval(text)


def test_the_finest_digit_of_a_column():
    assert printed.finest_digit(["0.98", "0.9712", "12%"]) == 0.0001
    assert printed.finest_digit(["98%", "97.5%"]) == 0.001


@pytest.mark.parametrize(
    ("value", "text"), [(0.04996, "0.0500"), (0.00012, "0.0001"), (9.94e-5, "9.9e-05"), (0, "0")]
)
def test_p_values_in_sentences(value, text):
    assert printed.pvalue_text(value) == text
