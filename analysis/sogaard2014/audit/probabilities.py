"""Checks of the rates of Section 3 and of the predictive values of Section 4 by theory."""

from analysis.methods.predictive_value import positive_predictive_value
from analysis.sogaard2014 import many_metrics
from replicability import forensics

STRICT = 0.01
"""The other level at which the toy examples count small p-values."""


def toy_probabilities(printed):
    """Judge the rates of small p-values in the toy examples of Section 3 by theory.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. Rates of one metric, of several, of a covariate and of a distorted
    copy.
    """
    metric, covariate = printed.toy["3.3"], printed.toy["3.5"]
    draws, usual = int(metric["repetitions"].published), printed.cutoff
    found = []
    for level in (STRICT, usual):
        below = f"P(p < {level})"
        either, any_of_four = (forensics.at_least_one(level, n) for n in (2, 4))
        found += [
            forensics.monte_carlo(metric[f"one metric: {below}"], level, draws),
            forensics.value(metric[f"independent metrics: {below}"], either, "1 - (1 - alpha)^2."),
            forensics.monte_carlo(covariate[f"covariate: {below}"], either, draws),
            forensics.monte_carlo(covariate[f"metric and covariate: {below}"], any_of_four, draws),
        ]
    noise = forensics.printed_interval(metric["noise of the distorted copy"].published).value
    copied = {
        "noise with a tenth of the spread": many_metrics.noise_correlation(noise),
        "a tenth of the values drawn again": 1 - noise,
    }
    other = {"the choice of two independent metrics": forensics.at_least_one(usual, 2)}
    claim = metric["metric or distorted copy: P(p < 0.05)"]
    rate = covariate["metric and covariate: P(p < 0.05)"].published
    return [
        *found,
        forensics.weigh_readings(
            {
                reading: forensics.monte_carlo(
                    claim,
                    forensics.either_of_two(usual, rho),
                    draws,
                    readings=other if reading == list(copied)[-1] else None,
                )
                for reading, rho in copied.items()
            }
        ),
        forensics.value(
            covariate["metric and covariate: cases that appear different"],
            forensics.printed_interval(rate).value,
            f"The rate is {rate}.",
            trivial=True,
        ),
    ]


def predictive_values(printed):
    """Judge the numbers of Section 4, of the abstract and of Section 1 by the formula.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. The positive predictive value at several levels, its parts, the cut-off
    it allows, and the share of false findings.
    """
    ppv, usual = printed.section4["4"], printed.cutoff
    r, beta = (forensics.printed_interval(ppv[name].published).value for name in ("R", "beta"))
    proposed = float(ppv["proposed cut-off"].published)
    formula = f"(1 - beta) R / (R - beta R + alpha) with R = {r}, beta = {beta}."
    levels = {
        "PPV at alpha = 0.05": usual,
        "PPV at alpha = 0.05: quotient": usual,
        "PPV at alpha = 0.01": STRICT,
        "PPV at the proposed cut-off": proposed,
    }
    positive = r + (1 - r) * usual
    return [
        *(
            forensics.value(ppv[name], positive_predictive_value(r, level, beta), formula)
            for name, level in levels.items()
        ),
        forensics.value(ppv["positive results"], positive, "R + (1 - R) alpha."),
        forensics.value(ppv["approaches to test"], 1 / positive, "1 / (R + (1 - R) alpha)."),
        forensics.value(ppv["PPV at alpha = 0.05: numerator"], (1 - beta) * r, formula),
        forensics.value(ppv["PPV at alpha = 0.05: denominator"], r - beta * r + usual, formula),
        *_cut_offs(printed, r, beta, proposed),
        *_false_findings(printed, r, beta, proposed),
    ]


def _cut_offs(printed, r, beta, proposed):
    """Judge the proposed cut-off wherever it is printed: up to which does the PPV hold?"""
    quoted, ppv = printed.quoted, printed.section4["4"]
    target = forensics.printed_interval(ppv["PPV at the proposed cut-off"].published).value
    limit = (1 - beta) * r * (1 / target - 1)
    allowed = forensics.Interval(0.0, min(proposed, limit), limit)
    why = f"PPV is at least {target} up to alpha"
    for claim in (
        quoted["Abstract"]["cut-off"],
        quoted["1"]["proposed cut-off"],
        ppv["proposed cut-off"],
        quoted["1"]["proposed cut-off in the list of contributions"],
    ):
        yield forensics.value(claim, allowed, f"{why} = {limit:.5f}.")


def _false_findings(printed, r, beta, proposed):
    """Judge the shares of false findings at both cut-offs, and the tests that fit in between."""
    quoted, usual = printed.quoted, printed.cutoff
    false = 1 - positive_predictive_value(r, proposed, beta)
    for claim in (
        quoted["Abstract"]["risk of a false positive result"],
        quoted["1"]["chance of a false finding"],
    ):
        yield forensics.value(claim, false, "1 - PPV at the proposed cut-off.")
    ratio = forensics.printed_interval(printed.section4["4"]["R"].published)
    ends = (
        1 - positive_predictive_value(x, usual, beta) for x in (ratio.high, ratio.value, ratio.low)
    )
    yield forensics.value(
        quoted["1"]["false findings with p < 0.05"],
        forensics.Interval(*ends),
        f"1 - PPV at 0.05: one half for R = {r}, as Section 4 says, and more for any smaller R "
        "that rounds to it.",
    )
    family = [str(usual), str(proposed)]
    yield forensics.derived(quoted["1"]["family of hypotheses"], "ratio", family, exact=True)
