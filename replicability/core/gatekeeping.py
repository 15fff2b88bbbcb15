r"""Families of ordered pairs that are tested before all pairs, with one level for everything.

A family has m ordered pairs that were chosen before the scores were seen. Its question is whether
the first system of a pair is better on at least one dataset. Each pair is tested at the level of
the family over m, and passes this share on to the next family if it is decided. All pairs come
last, with counts, names and bounds, at the level that arrives there.

*Claim.* With probability 1 - alpha no statement of any family is wrong.

*Proof.* Let :math:`d_i` of the :math:`m_i` hypotheses "better on no dataset" of family i be false.
Up to the first wrong decision, the level of family i is at most :math:`a_i`, as only false
hypotheses pass their shares on: :math:`a_1 = \alpha` and :math:`a_{i+1} = a_i d_i / m_i`. The
tests reject no less at a higher level. So the first wrong decision is in family i with a
probability of at most :math:`a_i (m_i - d_i) / m_i = a_i - a_{i+1}`, and in the statements about
all pairs with at most the last :math:`a`. These add up to alpha, whatever the dependence between
pairs.

References
----------
Dmitrienko, Offen and Westfall (2003), Statistics in Medicine 22(15), 2387-2400. Bretz, Maurer,
Brannath and Posch (2009), Statistics in Medicine 28(4), 586-604.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction

import numpy as np


@dataclass(frozen=True, eq=False)
class Passed:
    """What the families found that were tested first.

    Attributes
    ----------
    decided : ndarray of bool, shape (s, s)
        Whether one of them showed that the system of the row is better somewhere than that of the
        column.
    share : Fraction
        Part of alpha that is left for all pairs.
    steps : tuple of (str, int, int)
        Name of each family, how many of its pairs are decided, and how many it has.
    """

    decided: np.ndarray
    share: Fraction
    steps: tuple


def listed(asked, systems):
    """List the ordered pairs of the families that are tested first.

    `asked`: as `declared.Family.ask_first`. `systems` (sequence of str): all systems.

    Returns dict of str to list of (str, str). Name of the family -> its pairs, the system that is
    claimed to be better first.

    Examples
    --------
    >>> listed({"leader": "x", "neighbours": ["x", "z", "y"]}, ["x", "y", "z"])
    {'leader': [('x', 'y'), ('x', 'z')], 'neighbours': [('x', 'z'), ('z', 'y')]}
    """
    found = {}
    for name, chosen in asked.items():
        if name == "neighbours":
            found[name] = [*itertools.pairwise(chosen)]
        else:
            first, *others = [chosen] if isinstance(chosen, str) else chosen
            others = others or [system for system in systems if system != first]
            found[name] = [(first, other) for other in others]
    return found


def passed(pairs, alpha):
    """Test the families that come before all pairs.

    `pairs` (all_pairs.Pairs): `first` has the families. `alpha`: level of everything, in (0, 1).

    Returns Passed.
    """
    decided, share, steps = np.zeros(pairs.compared.shape, bool), Fraction(1), []
    for name, ordered in pairs.first.items():
        level = alpha * float(share / len(ordered))
        places = [tuple(map(pairs.systems.index, pair)) for pair in ordered]
        for place, (a, b) in zip(places, ordered, strict=True):
            decided[place] = decided[place] or pairs.somewhere(a, b, level)
        number = sum(bool(decided[place]) for place in places)
        steps.append((name, number, len(ordered)))
        share *= Fraction(number, len(ordered))
    return Passed(decided, share, tuple(steps))
