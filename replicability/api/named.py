"""p-values with the names of their datasets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from replicability import checks
from replicability.checks import InputError
from replicability.io.pvalues import numbered, refuse_alike
from replicability.stats import arguments


def named_values(pvalues: Any) -> tuple[tuple[str, ...], np.ndarray]:
    """Return names, made up if there are none, and values."""
    if not (isinstance(pvalues, list | tuple | Mapping) or hasattr(pvalues, "__array__")):
        raise InputError(
            f"The p-values are of type {type(pvalues).__name__}; pass one number for each dataset."
        )
    if isinstance(pvalues, list | tuple | np.ndarray) and np.ndim(pvalues) > 1:
        raise InputError(
            f"The p-values have the shape {np.shape(pvalues)}; pass a one-dimensional sequence "
            "with one p-value for each dataset."
        )
    if isinstance(pvalues, Mapping):
        several = [name for name, value in pvalues.items() if np.ndim(value)]
        if several:
            raise InputError(
                f"The p-value for {str(several[0])!r} is not a single number; pass one number for "
                "each dataset."
            )
        return tuple(map(str, pvalues)), arguments.pvalues(list(pvalues.values()))
    values = arguments.pvalues(pvalues)
    labelled = isinstance(pvalues, pd.Series) and not isinstance(pvalues.index, pd.RangeIndex)
    names = map(str, pvalues.index) if labelled else numbered(len(values))
    return tuple(names), values


def refuse_names(names: Sequence[str], n: int) -> None:
    """Refuse names that are not one for each p-value, empty or alike."""
    if len(names) != n:
        raise InputError(
            f"names= and the p-values differ in length ({len(names)} and {n}); pass one name for "
            "each p-value."
        )
    twice = [name for name, times in Counter(names).items() if times > 1]
    checks.refuse_odd("A dataset's name", names)
    if twice or not all(map(str.strip, names)):
        raise InputError(
            f"Two datasets have the name {twice[0]!r}; rename one of them."
            if twice and twice[0].strip()
            else "A dataset's name is empty; give every dataset a name."
        )
    refuse_alike("The p-values", names)
