"""Words of judgement, each given by a rule: verdicts on claims, and words for shares.

A sentence says "yes", "most" or "a third" of a table only as far as the table does. A field of
`analysis.prose` computes a `Word`, and the sentence keeps what it says if that fits.
"""

import re
from dataclasses import dataclass

import numpy as np

from replicability import checks

YES, NO, DEPENDS, CANNOT = "yes", "no", "depends on the reading", "cannot be checked"
"""Verdicts on a claim, by its readings."""

SOME, NOT_ALL = 1e-9, 1 - 1e-9
"""The smallest share that is not none, and the largest that is not all."""

SCALE = {
    **dict.fromkeys(("none", "no", "nothing", "nowhere", "never", "neither"), (0, 0)),
    **dict.fromkeys(("all", "every", "everything", "everywhere", "always", "each"), (1, 1)),
    **dict.fromkeys(("both", "either"), (1, 1)),
    **dict.fromkeys(("nearly all", "nearly every", "almost all", "nearly always"), (0.9, NOT_ALL)),
    **{"few": (SOME, 0.2), "some": (SOME, NOT_ALL), "most": (0.5 + SOME, NOT_ALL)},
    **{"a tenth": (0.085, 0.115), "a fifth": (0.175, 0.225), "a quarter": (0.225, 0.275)},
    **{"a third": (0.3, 0.37), "two thirds": (0.63, 0.7), "three quarters": (0.725, 0.775)},
    **{
        "half": (0.45, 0.55),
        "nearly half": (0.45, 0.5 - SOME),
        "more than half": (0.5 + SOME, 0.6),
        "more than a third": (1 / 3 + SOME, 0.45),
    },
    **{"nearly a quarter": (0.22, 0.25 - SOME), "nearly a third": (0.3, 0.33)},
}
"""Word for a share -> the smallest and the largest share of which it may be said."""

PAIRS = ("both", "either", "neither")
"""Words of `SCALE` that are said of two."""

TIMES = {"half": (0.45, 0.55), "twice": (1.75, 2.25), "more than twice": (2 + SOME, 3 - SOME)}
TIMES |= {"three times": (2.8, 3.2), "ten times": (9, 11)}
"""Word for a ratio -> the smallest and the largest of which it may be said."""

WORDS = (YES, NO, DEPENDS, CANNOT, "one", "only", *SCALE, *TIMES)
"""All words that a rule may give."""


@dataclass(frozen=True)
class Word:
    """What a sentence may say.

    Attributes
    ----------
    fits : tuple of str
        The words that fit, the best one first.
    others : tuple of str
        Words that do not, besides those of `WORDS`.
    why : str
        What they are made from, for messages.
    """

    fits: tuple
    others: tuple = ()
    why: str = ""

    def __str__(self):
        return self.fits[0]

    def in_place_of(self, said):
        """Return what is said, its last word renewed if it does not fit.

        Raises `InputError`: if nothing that is said is such a word, or a word for a share would
        have to be replaced by one that the sentence may not take.
        """
        known = sorted({*WORDS, *self.fits, *self.others}, key=len, reverse=True)
        last = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in known)
        found = re.search(rf"(?<![\w-])({last})\W*$", said, re.IGNORECASE)
        listed = " or ".join(map(repr, self.fits))
        if not found:
            raise checks.InputError(
                f"there is no word of judgement in front of the field; write {listed}."
            )
        word = found[1]
        if re.sub(r"\s+", " ", word.lower()) in self.fits:
            return said
        if self.why:
            raise checks.InputError(
                f"the value is {self.why} now; write {listed}, or reword {word!r}."
            )
        new = str(self).capitalize() if word[0].isupper() else str(self)
        return said[: found.start(1)] + new + said[found.end(1) :]


def judge(readings):
    """Judge a claim.

    `readings` (dict of str to bool): each reading that the source allows -> whether the claim holds
    by it.

    Returns str. One of `YES`, `NO`, `DEPENDS` and `CANNOT`, the last if there is no reading.

    Examples
    --------
    >>> judge({"two-sided": True, "one-sided": False}), judge({"as printed": True}), judge({})
    ('depends on the reading', 'yes', 'cannot be checked')
    """
    holds = [bool(value) for value in readings.values()]
    if not holds:
        return CANNOT
    return YES if all(holds) else DEPENDS if any(holds) else NO


def share(part, whole=None):
    """Say how large a share is.

    `part` (int, float or sequence of bool): number of those of which something holds, or for each
    whether it holds. `whole` (int or float): number of all; without it `part` is a sequence, or a
    share of 1.

    Returns Word. The words of `SCALE` that fit, and "one" if it holds of one.

    Raises `InputError`: if it is no share.

    Examples
    --------
    >>> str(share(8, 23)), str(share([True, True])), str(share(0.97))
    ('a third', 'all', 'nearly all')
    """
    if np.ndim(part):
        part, whole = int(np.sum(part)), int(np.size(part))
    value = part / whole if whole else part
    if not 0 <= value <= 1:
        raise checks.InputError(f"{part} of {whole or 1} is not a share from 0 to 1.")
    fits = [w for w in _fitting(SCALE, value) if w not in PAIRS or whole == 2]
    fits += ["one"] if whole and part == 1 else []
    return Word(tuple(fits), why=f"{part} of {whole}" if whole else f"{part:.4g}")


def times(value):
    """Say how large a ratio is.

    `value`: the ratio.

    Returns Word. The words of `TIMES` that fit.

    Raises `InputError`: if none does.
    """
    fits = _fitting(TIMES, value)
    if not fits:
        raise checks.InputError(f"the value is {value:.4g} now; write it in digits.")
    return Word(fits, why=f"{value:.4g}")


def word(holds, said, otherwise=""):
    """Say one of two words.

    `holds`: whether the first is right. `said`, `otherwise`: words without blanks, or of `WORDS`.

    Returns Word.

    Raises `InputError`: if the first is not right and there is no other, or one has a blank.
    """
    if not holds and not otherwise:
        raise checks.InputError(f"{said!r} no longer holds; reword the sentence and its field.")
    for each in (said, otherwise):
        if re.search(r"\s", each) and each not in WORDS:
            raise checks.InputError(f"{each!r} is more than one word; use a single word.")
    fits, other = (said, otherwise) if holds else (otherwise, said)
    return Word((fits,), (other,) if other else ())


def _fitting(scale, value):
    """Return the words that fit, the narrowest first."""
    fits = [word for word, (low, high) in scale.items() if low <= value <= high]
    return tuple(sorted(fits, key=lambda word: scale[word][1] - scale[word][0]))
