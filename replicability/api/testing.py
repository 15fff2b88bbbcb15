"""Assert in a test that a new system is not worse; a fixture of pytest has it (`api.plugin`)."""

from __future__ import annotations

from typing import Any, Literal

from replicability.api.gate import Gate, gate
from replicability.checks import InputError
from replicability.core.release import BLOCK, CANNOT_TELL


def assert_not_worse(
    base: Any, new: Any = None, *, unsure: Literal["fail", "skip", "pass"] = "fail", **asked: Any
) -> Gate:
    """Fail unless a gate ships the new system.

    Parameters
    ----------
    base, new, **asked
        As in `replicability.gate`.
    unsure : {"fail", "skip", "pass"}
        What happens if the gate cannot tell: the test fails, is skipped by pytest, or goes on.

    Returns
    -------
    Gate

    Raises
    ------
    AssertionError
        If the gate blocks, or cannot tell and `unsure` is "fail".
    InputError
        As in `replicability.gate`.

    Examples
    --------
    >>> import replicability as rep
    >>> rep.assert_not_worse([1, 0] * 200, [1, 0] * 200, margin=0.05)
    <Gate: SHIP, new after base on 1 dataset>
    """
    if not isinstance(unsure, str) or unsure not in ("fail", "skip", "pass"):
        raise InputError(f"unsure= is {unsure!r}; pass 'fail', 'skip' or 'pass'.")
    found: Gate = gate(base, new, **asked)
    if found.verdict == CANNOT_TELL and unsure == "skip":
        import pytest

        pytest.skip(str(found))
    if found.verdict == BLOCK or (found.verdict == CANNOT_TELL and unsure == "fail"):
        raise AssertionError(f"{found}\n\n{found.table.to_string(index=False)}")
    return found
