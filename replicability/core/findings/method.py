"""The paragraph for a paper's methods section, made from what was chosen, with its references."""

from collections.abc import Iterable, Sequence

import replicability
from replicability.checks import enumerated
from replicability.core import as_read, claimed, procedure
from replicability.core.findings.finding import Finding
from replicability.core.findings.tests_used import COMPUTED
from replicability.core.findings.wording import DECLARED, plural
from replicability.core.tested import Tested
from replicability.io.study import INSTANCE, Comparison
from replicability.stats import local_tests, paired, partial_conjunction

DROR = (
    "Dror et al. 2017",
    "Dror, Baumer, Bogomolov and Reichart (2017), Transactions of the Association for "
    "Computational Linguistics 5, 471-486.",
)
MARCUS = ("Marcus et al. 1976", "Marcus, Peritz and Gabriel (1976), Biometrika 63(3), 655-660.")
GOEMAN = ("Goeman and Solari 2011", "Goeman and Solari (2011), Statistical Science 26(4), 584-597.")
POST = ("Post 2018", "Post (2018), WMT, 186-191.")
BOSCHLOO = ("Boschloo 1970", "Boschloo (1970), Statistica Neerlandica 24(1), 1-35.")
CHAN = ("Chan 1998", "Chan (1998), Statistics in Medicine 17(12), 1403-1413.")
FARRINGTON = (
    "Farrington and Manning 1990",
    "Farrington and Manning (1990), Statistics in Medicine 9(12), 1447-1454.",
)
WELCH = ("Welch 1947", "Welch (1947), Biometrika 34(1-2), 28-35.")
NEWCOMBE = ("Newcombe 1998", "Newcombe (1998), Statistics in Medicine 17(8), 873-890.")
HOLM = local_tests.load()["bonferroni"].cited

OF_TESTS = {
    "mean_difference": (
        "Hall 1992",
        "Hall (1992), Journal of the Royal Statistical Society B 54(1), 221-228.",
    ),
    "resampled_t": (
        "Nadeau and Bengio 2003",
        "Nadeau and Bengio (2003), Machine Learning 52(3), 239-281.",
    ),
    "repeated_k_fold": (
        "Bouckaert and Frank 2004",
        "Bouckaert and Frank (2004), PAKDD, LNCS 3056, 3-12.",
    ),
    "cv_5x2_f": ("Alpaydin 1999", "Alpaydin (1999), Neural Computation 11(8), 1885-1892."),
    "crossed_t": ("Banerjee 1960", "Banerjee (1960), Sankhya 22, 351-358."),
    "hierarchical_flip": (
        "Winkler et al. 2015",
        "Winkler, Webster, Vidaurre, Nichols and Smith (2015), NeuroImage 123, 253-268.",
    ),
    "two_way_bootstrap": (
        "Owen 2007",
        "Owen (2007), Annals of Applied Statistics 1(2), 386-411.",
    ),
    "prediction_powered": (
        "Angelopoulos et al. 2023",
        "Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Science 382, 669-674.",
    ),
    "correlation_jackknife": ("Miller 1974", "Miller (1974), Biometrika 61(1), 1-15."),
    "mcnemar": ("McNemar 1947", "McNemar (1947), Psychometrika 12(2), 153-157."),
    "paired_bootstrap": (
        "Berg-Kirkpatrick et al. 2012",
        "Berg-Kirkpatrick, Burkett and Klein (2012), EMNLP-CoNLL, 995-1005.",
    ),
    "sign_flip": ("Yeh 2000", "Yeh (2000), COLING, 947-953."),
    "wilcoxon": ("Wilcoxon 1945", "Wilcoxon (1945), Biometrics Bulletin 1(6), 80-83."),
    "sign_test": (
        "Dixon and Mood 1946",
        "Dixon and Mood (1946), Journal of the American Statistical Association 41(236), 557-566.",
    ),
    "paired_t": ("Student 1908", "Student (1908), Biometrika 6(1), 1-25."),
    "exact_unconditional": (
        "Lloyd and Moldovan 2008",
        "Lloyd and Moldovan (2008), Statistics in Medicine 27(18), 3540-3549.",
    ),
    "tango": ("Tango 1998", "Tango (1998), Statistics in Medicine 17(8), 891-908."),
    "steiger": ("Steiger 1980", "Steiger (1980), Psychological Bulletin 87(2), 245-251."),
    "williams": (
        "Williams 1959",
        "Williams (1959), Journal of the Royal Statistical Society B 21(2), 396-399.",
    ),
    "meng": (
        "Meng et al. 1992",
        "Meng, Rosenthal and Rubin (1992), Psychological Bulletin 111(1), 172-175.",
    ),
    "rating_bootstrap": (
        "Efron and Tibshirani 1993",
        "Efron and Tibshirani (1993), An Introduction to the Bootstrap, Chapman and Hall.",
    ),
}
"""Maps the test of a dataset to its citation and its reference."""

MOST_WAYS = 3
"""Maximum number of ways of computing p-values that a paragraph lists."""


def paragraph(
    comparison: Comparison, table: Tested, found: Sequence[Finding], declared: bool = True
) -> str:
    """Write the paragraph for a methods section.

    `found` (sequence of findings.Finding): what was found, one for each level. `declared`: whether
    the dependence of the datasets was declared.

    Returns str. Sentences, followed by the references that they cite.
    """
    said = [_compared(comparison, table), *_units(comparison, table)]
    said += [*as_read.of_people(table), *as_read.of_runs(table)]
    said += filter(None, [table.missing])
    scored, scores = _scored(table)
    tested, tests = _tested(comparison, table)
    counted, counts = _counted(comparison, table, found, declared)
    seed = _seed(comparison, table, found[0].claims)
    software = f"Computed with replicability {replicability.__version__}{seed}."
    references = " ".join(dict.fromkeys(full for _, full in (*scores, *tests, *counts)))
    return " ".join([*said, *scored, tested, counted, software, f"References: {references}"])


def _compared(comparison: Comparison, table: Tested) -> str:
    clause = claimed.claim(comparison, table).clause(*comparison.systems)
    if comparison.two_sided:
        a, b = comparison.systems
        clause += f", and on how many {claimed.claim(comparison, table).clause(b, a)}"
    noun = "trial" if comparison.level == "counts" else "split" if comparison.splits else "item"
    noun = "run" if comparison.claim_covers == "runs" else noun
    n = f" ({plural(int(table['n'].sum()), noun)})" if "n" in table else ""
    if len(table) == 1:
        return f"We tested whether {clause.replace(' on how many', ' whether')} on one dataset{n}."
    return f"We estimated on how many of {plural(len(table), 'dataset')}{n} {clause}."


def _units(comparison: Comparison, table: Tested) -> list[str]:
    """Define the unit of analysis, if it is not the item."""
    if comparison.unit == INSTANCE:
        return []
    n, shared = plural(int(table["units"].sum()), "unit"), ""
    if len(table) > 1:
        low, high = table["units"].min(), table["units"].max()
        n = f"{low:,} to {high:,}" if low < high else f"{high:,}"
        shared = ", shared between datasets" if comparison.shared else ""
        n = f"{n} units in each dataset"
    return [
        f"The unit of analysis is the {comparison.unit} ({n}{shared}); item scores were summed "
        "within each unit."
    ]


def _scored(table: Tested) -> tuple[list[str], list[tuple[str, str]]]:
    """Say how sacrebleu computed the scores, if it did; with citations."""
    signatures = as_read.by_sacrebleu(table)
    if not signatures:
        return [], []
    return [f"Scores were computed by sacrebleu ({POST[0]}): {'; '.join(signatures)}."], [POST]


def _tested(comparison: Comparison, table: Tested) -> tuple[str, list[tuple[str, str]]]:
    """State the test of each dataset; with citations."""
    a, b = comparison.systems
    claim = claimed.claim(comparison, table)
    hypothesis = f"the null hypothesis that {claim.null(a, b)}"
    if claim.kind == "better":
        hypothesis = f"the null hypothesis that {a} is not better than {b}"
    if comparison.level == "counts":
        cited = [BOSCHLOO] if claim.kind == "better" else [CHAN, FARRINGTON]
        test = "Boschloo's exact test of two unpaired proportions"
        if claim.kind != "better":
            test = "the exact unconditional test of two unpaired proportions (score statistic)"
        return (
            f"On each dataset, we tested {hypothesis} with {test} "
            f"({'; '.join(short for short, _ in cited)}); intervals for the difference use "
            f"Newcombe's method 10 ({NEWCOMBE[0]}). {COMPUTED}: {_ways(table['how'])}.",
            [*cited, NEWCOMBE],
        )
    if comparison.claim_covers == "runs":
        return (
            f"On each dataset, we tested {hypothesis} for new runs with a permutation test of "
            f"Welch's t ({WELCH[0]}), or Welch's t-test if there were many runs; intervals are "
            f"Welch's. {COMPUTED}: {_ways(table['how'])}.",
            [WELCH],
        )
    if "test" not in table:
        made = f", from {paired.lookup(comparison.test).title}," if comparison.test else ""
        cited = [OF_TESTS[comparison.test]] if comparison.test in OF_TESTS else []
        return f"The p-value of each dataset{made} refers to {hypothesis}.", cited
    (test,) = table["test"].unique()
    cited = [OF_TESTS[test]] if test in OF_TESTS else []
    short = f" ({cited[0][0]})" if cited else ""
    entry = paired.lookup(test)
    reason = not comparison.test and not entry.use.startswith("instead")
    why = f", because {entry.use}" if reason else ""
    return (
        f"On each dataset, we tested {hypothesis} with {entry.title}{short}{why}. "
        f"{COMPUTED}: {_ways(table['how'])}.",
        cited,
    )


def _ways(how: Iterable[str]) -> str:
    """List how p-values were computed."""
    ways = list(dict.fromkeys(how))
    return "; ".join([*ways[:MOST_WAYS], *(["and the like"] if len(ways) > MOST_WAYS else [])])


def _counted(
    comparison: Comparison, table: Tested, found: Sequence[Finding], declared: bool
) -> tuple[str, list[tuple[str, str]]]:
    """State the procedure of the bounds and identified datasets; with citations."""
    alphas = enumerated([f"{finding.alpha:g}" for finding in found])
    if len(table) == 1:
        level = "alpha / 2 (either direction), with alpha" if found[0].other else "alpha"
        return f"A system is called better if p ≤ {level} = {alphas}.", []
    dependence = f"The datasets were declared {DECLARED[comparison.dependence]}."
    if not declared:
        dependence = "No dependence was declared, so the datasets were treated as dependent."
    claims, tests = found[0].claims, local_tests.load()
    if claims is None:
        method = tests[partial_conjunction.recommended_method(comparison.dependence)]
        return (
            f"{dependence} The lower bound on the number of datasets comes from partial "
            f"conjunction tests with {method.title}'s method ({DROR[0]}; {method.cited[0]}). "
            f"Holm's procedure ({HOLM[0]}) identifies individual datasets. Both use alpha = "
            f"{alphas}.",
            [DROR, method.cited, HOLM],
        )
    if claims.method in procedure.OF_UNITS:
        dependence = "The datasets share units, from which their dependence was measured."
    local = tests[claims.method]
    meaning = f" ({local.meaning})" if local.meaning else ""
    return (
        f"{dependence} All bounds and identified datasets come from closed testing "
        f"({MARCUS[0]}; {GOEMAN[0]}; {DROR[0]}) with the local test {local.title} "
        f"({local.cited[0]}){meaning} at alpha = {alphas}. They have simultaneous confidence "
        "1 - alpha.",
        [MARCUS, GOEMAN, DROR, local.cited],
    )


def _seed(comparison: Comparison, table: Tested, claims: procedure.Procedure | None) -> str:
    """State the seed, if something is drawn."""
    flipped = comparison.shared or (claims and claims.method == procedure.DISCRETE)
    drawn = "test" in table and any("rng" in paired.lookup(t).options for t in set(table["test"]))
    return f" (seed {comparison.seed})" if drawn or flipped else ""
