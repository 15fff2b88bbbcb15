import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.published import read_published
from analysis.sogaard2014 import audit as paper_audit
from analysis.sogaard2014 import free_choice
from replicability import forensics


def test_nine_of_ten_by_hand():
    printed = read_published("sogaard2014", "table2").set_index("domain")
    numbers = printed.apply(lambda column: column.str.lstrip("<").astype(float))
    assert (numbers.min(axis=1) < 0.05).sum() == 8
    assert (numbers.min(axis=1) < 0.1).sum() == 9


def test_two_independent_metrics_by_inclusion_and_exclusion():
    printed = forensics.quoted("p", read_published("sogaard2014", "section3_toy_examples"))["3.3"]
    chance = 0.01 + 0.01 - 0.01 * 0.01
    text = printed["independent metrics: P(p < 0.01)"].published
    assert f"{chance:.1%}" != text
    assert f"{np.floor(1000 * chance) / 1000:.1%}" == text


def test_a_distorted_copy_by_simulated_t_tests():
    printed = forensics.quoted("p", read_published("sogaard2014", "section3_toy_examples"))["3.3"]
    published = forensics.printed_interval(
        printed["metric or distorted copy: P(p < 0.05)"].published
    ).value
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(2, 20_000, 100))

    def rate(noisy_x, noisy_y):
        p = np.minimum(
            stats.ttest_ind(x, y, axis=1).pvalue, stats.ttest_ind(noisy_x, noisy_y, axis=1).pvalue
        )
        return (p < 0.05).mean()

    def noise(scale):
        return [part + rng.normal(scale=scale, size=part.shape) for part in (x, y)]

    def replaced():
        drawn = rng.normal(size=(2, *x.shape))
        return [
            np.where(rng.random(x.shape) < 0.1, new, old)
            for new, old in zip(drawn, (x, y), strict=True)
        ]

    small, replaced_rate = rate(*noise(0.1)), rate(*replaced())
    assert small == pytest.approx(forensics.either_of_two(0.05, 1.01**-0.5), abs=0.005)
    # Noise of a tenth of the variance, and a tenth of the values drawn anew.
    assert replaced_rate == pytest.approx(0.07, abs=0.005)  # "about 7%"
    for found in (small, rate(*noise(0.1**0.5)), replaced_rate):
        assert stats.binomtest(round(1000 * published), 1000, found).pvalue < forensics.UNUSUAL
    assert stats.binomtest(round(1000 * published), 1000, 0.0975).pvalue > 0.5


def ner_pvalues(part):
    """p-values of the metrics of the two named-entity taggers on a part of the data."""
    pairs = free_choice.read("data/outcomes/ner.parquet", ["florian", "chieu"], "NER")
    (pair,) = [pair for pair in pairs if pair.dataset == part]
    return free_choice.scores([pair]).set_index("metric")["p_value"]


def test_the_named_entity_taggers_by_drawing_sentences():
    table = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "ner.parquet")
    table = table[table["dataset"] == "eng.testb"]
    types = ["loc", "misc", "org", "per"]
    counts = [f"{kind}_{count}" for kind in types for count in ("correct", "guessed", "gold")]
    sides = [table.loc[table["system"] == name, counts].to_numpy() for name in ("florian", "chieu")]
    both = np.hstack(sides).astype(float)
    drawn = np.random.default_rng(7).integers(len(both), size=(1500, len(both)))
    totals = np.stack([both[rows].sum(axis=0) for rows in drawn]).reshape(-1, 2, 4, 3)
    observed = both.sum(axis=0).reshape(1, 2, 4, 3)

    def lead(totals):
        correct, guessed, gold = np.moveaxis(totals, -1, 0)
        by_type = 2 * correct / (guessed + gold)
        overall = 2 * correct.sum(axis=-1) / (guessed + gold).sum(axis=-1)
        scores = np.concatenate([overall[..., None], by_type.mean(-1)[..., None], by_type], axis=-1)
        return scores[:, 0] - scores[:, 1]

    p = (lead(totals) >= 2 * lead(observed)).mean(axis=0)
    assert p[:2] == pytest.approx(ner_pvalues("eng.testb")[["F1", "macro-F1"]], abs=0.03)
    assert p.min() > 0.1  # not .02


def test_the_p_values_of_named_entities_are_judged_alike(verdicts):
    # Neither the part of the data nor the side nor the resamples are printed: all three stay open.
    table = verdicts[0][verdicts[0]["claim"].str.startswith("NER")]
    assert list(table["published"]) == ["~0.15", "~0.15", "0.02"]
    assert set(table["verdict"]) == {forensics.UNCHECKED}
    assert table["sentence"].str.contains("one-sided").all()
    of_text = ["macro-F1", *free_choice.TYPES]
    for part in ("eng.testa", "eng.testb"):
        p = ner_pvalues(part)
        assert table["sentence"].str.contains(part, regex=False).all()
        assert (table["recomputed"].iloc[:2].str.contains(f"{p['macro-F1']:.4f} on {part}")).all()
        assert f"{p[of_text].min():.4f} on {part}" in table["recomputed"].iloc[2]
        # No exact p, of either side, rounds to what is printed of macro-F1 or of the free choice.
        for sides in (1, 2):
            assert sides * p["macro-F1"] not in forensics.printed_interval("0.15")
            assert sides * p[of_text].min() not in forensics.printed_interval("0.02")
    assert ner_pvalues("eng.testb")["F1"] in forensics.printed_interval("0.15")


def test_the_named_entity_taggers_have_the_f1_that_the_shared_task_prints():
    cited = read_published("cited", "numbers").set_index("quantity")["printed"]
    table = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "ner.parquet")
    for system in ("florian", "chieu"):
        part = table[(table["dataset"] == "eng.testb") & (table["system"] == system)]
        correct, guessed, gold = (
            sum(part[f"{kind}_{count}"].sum() for kind in ("loc", "misc", "org", "per"))
            for count in ("correct", "guessed", "gold")
        )
        assert f"{200 * correct / (guessed + gold):.2f}" == cited[f"F1 of {system} on eng.testb"]


def test_the_printed_size_of_the_named_entity_data_depends_on_its_digits(verdicts):
    table = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "ner.parquet")
    sentences = table[table["system"] == "florian"].groupby("dataset")["words"].sum()
    words = sentences["eng.testb"] - 231  # Tjong Kim Sang and De Meulder (2003) have 46,435 tokens
    assert words == 46435
    assert sentences["eng.testa"] - 216 == 51362
    assert words not in forensics.printed_interval("50k")
    assert words in forensics.printed_interval("50k", 1e4)
    row = verdicts[0].set_index("claim").loc["words of News"]
    assert row["verdict"] == forensics.DEPENDS
    assert row["recomputed"] == "46435"


def test_the_full_samples_of_table_4_have_the_p_values_of_table_3(verdicts):
    table = verdicts[0]
    of = table[(table["paper"] == "Søgaard et al. 2014") & (table["item"] == "Table 4")]
    full = of[of["claim"].str.endswith(" of 100%")].set_index("claim")
    tested = read_published("sogaard2014", "table3").set_index("domain")
    odd = []
    for name, row in full.iterrows():
        domain, metric = name.removesuffix(" of 100%").split()
        p = float(tested.loc[domain.replace("Newsgrs", "Newsgroups"), metric].lstrip("<"))
        if row["published"] != ("100%" if p < 0.05 else "0%"):
            odd.append(name)
        assert row["verdict"] == (forensics.UNCHECKED if name in odd else forensics.AGREES)
    assert (odd, len(full)) == (["Newsgrs LAS of 100%"], 10)


def test_false_findings_by_counting(verdicts):
    ppv = forensics.quoted("p", read_published("sogaard2014", "section4"))["4"]
    r, beta = (forensics.printed_interval(ppv[name].published).value for name in ("R", "beta"))
    null = 1000
    found, false = (1 - beta) * r * null, 0.05 * null
    assert false / (found + false) == pytest.approx(0.5)
    claim_ = forensics.quoted("p", read_published("sogaard2014", "text"))["1"]
    assert claim_["false findings with p < 0.05"].published == ">1/2"
    # R is "around 0.1": any smaller one that rounds to it makes the share larger than one half.
    smaller = forensics.printed_interval(ppv["R"].published).low + 1e-6
    assert 0.05 * null / ((1 - beta) * smaller * null + 0.05 * null) > 0.5
    table = verdicts[0].set_index("claim")
    assert table.loc["false findings with p < 0.05", "basis"] == forensics.WITHIN_ROUNDING


def test_the_prose_on_copies_and_named_entities(prose):
    rows = read_published("sogaard2014", "table2").set_index("domain")
    same = {
        (x, y): int((rows.loc[x] == rows.loc[y]).sum())
        for x, y in (("Weblogs", "WSJ"), ("WSJ", "Twitter"))
    }
    assert same == {("Weblogs", "WSJ"): 3, ("WSJ", "Twitter"): 1}
    assert (
        "The WSJ row repeats three cells of the Weblogs row, and the Twitter row repeats one"
        in prose
    )
    b, a = ner_pvalues("eng.testb"), ner_pvalues("eng.testa")
    of_text = ["macro-F1", *free_choice.TYPES]
    said = f"can explain the p-value of {b['F1']:.2f}, but not that of .02".replace("0.", ".")
    assert said in prose
    assert b[of_text].min() == b["macro-F1"]
    assert not any(abs(s * part[of_text].min() - 0.02) < 0.005 for part in (a, b) for s in (1, 2))


@pytest.mark.parametrize(
    ("item", "where", "column", "printed", "check", "claimed"),
    [
        (
            "text",
            {"quantity": "POS: significant by every metric"},
            "printed",
            "3",
            paper_audit.tagging_counts,
            "POS: significant by every metric",
        ),
        (
            "text",
            {"quantity": "POS: significant, LAPOS better"},
            "printed",
            "3",
            paper_audit.tagging_numbers,
            "POS: significant, LAPOS better",
        ),
        (
            "table4",
            {"N": "10e-2"},
            "Emails UAS",
            "14.5e-2",
            paper_audit.shares_of_samples,
            "Emails UAS of 10%",
        ),
        (
            "named_datasets",
            {"quantity": "significant on the full data"},
            "datasets",
            "Weblogs;Emails",
            paper_audit.parsing_lists,
            "Parsing: data sets significant on the full data",
        ),
        (
            "section3_toy_examples",
            {"quantity": "covariate: P(p < 0.05)"},
            "printed",
            "15e-2",
            paper_audit.toy_probabilities,
            "covariate: P(p < 0.05)",
        ),
        (
            "section4",
            {"quantity": "proposed cut-off"},
            "printed",
            "0.0035",
            paper_audit.predictive_values,
            "proposed cut-off",
        ),
    ],
)
def test_another_printed_number_gets_another_verdict(
    altered, item, where, column, printed, check, claimed
):
    before = {found.claim: found.verdict for found in check(paper_audit.read_paper())}
    altered(paper_audit.printed, item, where, column, printed)
    after = {found.claim: found.verdict for found in check(paper_audit.read_paper())}
    against = {forensics.CONTRADICTED, forensics.IMPOSSIBLE}
    assert before[claimed] not in against
    assert after[claimed] in against


def test_f1_of_the_named_entity_taggers_stands_beside_that_of_the_shared_task():
    table = paper_audit.ner_f1()
    assert list(table["F1 here"]) == list(table["F1 of the shared task"])
    assert (table["F1 here"].astype(float) > table["Mean F1 of the types here"].astype(float)).all()
