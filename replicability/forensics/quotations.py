"""Numbers that the text quotes from tables."""

import re

from replicability import checks
from replicability.forensics.arithmetic import value
from replicability.forensics.claims import Claim, unchecked
from replicability.forensics.counts import count
from replicability.forensics.printed import printed_interval, shown
from replicability.stats import partial_conjunction


def quoted(paper, printed):
    """Turn the numbers that a text quotes into claims.

    Parameters
    ----------
    paper : str
        Name of the paper.
    printed : DataFrame of str
        Columns ``section``, ``quantity``, ``relation`` ("~", "<", ">" or "") and ``printed``.

    Returns
    -------
    dict of str to dict of str to Claim
        Section -> quantity -> claim. A bare number is a section; "9.75e-2" is written "9.75%".
    """
    for name in ("section", "quantity", "relation", "printed"):
        checks.choice(f"text of {paper}: column", name, printed.columns)
    found = {}
    for row in printed.itertuples():
        claim = Claim(paper, _item(row.section), row.quantity, row.relation + shown(row.printed))
        found.setdefault(row.section, {})[row.quantity] = claim
    return found


def quoted_counts(paper, printed, pvalues, alpha):
    """Judge the estimates that a text quotes from its tables.

    Parameters
    ----------
    paper : str
        Name of the paper.
    printed : DataFrame of str
        As for `quoted`; a quantity reads "<comparison>: k_<estimator>", "... - k_<estimator>" or
        "(... - ...) / <unit>", with ", alpha = <level>" if the level is another, or
        "<comparison>: <unit>" for the number of datasets. Others are passed over.
    pvalues : dict of str to sequence of str
        Comparison -> its p-values as printed.
    alpha : float
        Level of significance, in (0, 1).

    Returns
    -------
    list of Verdict
        One per quantity that was understood. Estimates and sizes that agree do so trivially,
        because a table prints them, too; differences of estimates do not.
    """
    verdicts = []
    for section in quoted(paper, printed).values():
        for quantity, claim in section.items():
            name, _, rest = quantity.partition(": ")
            formula, _, level = rest.partition(", alpha = ")
            if name not in pvalues:
                continue
            texts, at = pvalues[name], float(level or alpha)
            names = re.findall(r"k_(\w+)", formula)
            if len(names) == 1:
                verdicts.append(count(claim, texts, at, names[0], trivial=True))
                continue
            numbers = [printed_interval(text).value for text in texts]
            found = [partial_conjunction.estimate(numbers, at, name) for name in names]
            if len(names) == 2:
                share = "/" in claim.published or claim.published.endswith("%")
                result = (found[0] - found[1]) / (len(texts) if share else 1)
                words = f"{found[0]} - {found[1]} at alpha = {at:g} on {len(texts)} datasets."
                verdicts.append(value(claim, result, f"The printed p-values give {words}"))
            elif formula in UNITS:
                number = f"The paper prints {len(texts)} p-value{'s' * (len(texts) != 1)}."
                verdicts.append(value(claim, len(texts), number, trivial=True))
    return verdicts


UNITS = ("datasets", "domains", "languages", "setups")
"""Words that papers use for the datasets of a family."""


def remaining(paper, printed, verdicts, reason):
    """Record the quoted numbers that no check has judged.

    Parameters
    ----------
    paper : str
        Name of the paper.
    printed : DataFrame of str
        As for `quoted`, with ``kind``; settings of the authors are no claims and are passed over.
    verdicts : iterable of Verdict
        What has been judged.
    reason : str
        Why the others cannot be checked.

    Returns
    -------
    list of Verdict
        One per number left.
    """
    judged = {(verdict.paper, verdict.item, verdict.claim) for verdict in verdicts}
    return [
        unchecked(quoted(paper, printed)[row.section][row.quantity], reason)
        for row in printed.itertuples()
        if row.kind != "setting" and (paper, _item(row.section), row.quantity) not in judged
    ]


def _item(section):
    """Write the number of a section as one."""
    return f"Section {section}" if section[:1].isdigit() else section
