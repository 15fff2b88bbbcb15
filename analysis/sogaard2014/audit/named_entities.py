"""Checks by the public outputs of the named-entity taggers."""

import pandas as pd

from analysis.published import read_published
from analysis.sogaard2014 import free_choice
from analysis.sogaard2014.audit.printed import PAPER, make_claim
from replicability import forensics

NER_OUTCOMES = "data/outcomes/ner.parquet"
"""Public outputs of the named-entity taggers, scored."""


def sizes(printed):
    """Judge the sizes of Table 1: those of the named-entity data, which are public.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. One per row.
    """
    corpora = printed.corpora
    of = free_choice.outcomes(NER_OUTCOMES).query("system == 'florian'").groupby("dataset")["words"]
    cited = read_published("cited", "numbers").set_index("quantity")["printed"]
    words = {
        part: of.sum()[part] - int(cited[f"articles of {part}"])
        for part in ("eng.testa", "eng.testb")
    }
    news = make_claim(
        "Table 1",
        "words of News",
        forensics.shown(corpora.set_index("domain").loc["News", "words"]),
    )
    why = (
        f"The number of words in eng.testb of CoNLL 2003 without the -DOCSTART- lines of its "
        f"{cited['articles of eng.testb']} articles; eng.testa has {words['eng.testa']:,} words."
    )
    digits = {"rounded to thousands, like the other rows": None, "rounded to ten thousands": 1e4}
    return [
        *forensics.unchecked_table(
            PAPER,
            "Table 1",
            corpora.query("NER == ''"),
            "domain",
            ["words"],
            "The number is the size of a dataset from another source, rounded to the nearest "
            "thousand.",
        ),
        forensics.weigh_readings(
            {
                reading: forensics.value(news, words["eng.testb"], why, unit, printing="rounded")
                for reading, unit in digits.items()
            }
        ),
    ]


def ner_scores():
    """Score and test the named-entity taggers on both parts of the public data.

    Returns dict of str to DataFrame. Part -> as `free_choice.scores` returns it, by metric.
    """
    pairs = free_choice.read(NER_OUTCOMES, ["florian", "chieu"], "NER")
    return {
        pair.dataset: free_choice.scores([pair]).set_index("metric")
        for pair in pairs
        if pair.dataset.startswith("eng.")
    }


def ner_f1():
    """Put the F1 of the named-entity taggers on the test set beside the published one.

    Returns DataFrame of str. One row per tagger, columns for readers.
    """
    cited = read_published("cited", "numbers").set_index("quantity")["printed"]
    found = ner_scores()["eng.testb"]
    return pd.DataFrame(
        {
            "Tagger": title,
            "F1 here": f"{100 * found.loc['F1', side]:.2f}",
            "F1 of the shared task": cited[f"F1 of {system} on eng.testb"],
            "Mean F1 of the types here": f"{100 * found.loc['macro-F1', side]:.2f}",
        }
        for title, system, side in (("FLORIAN", "florian", "a"), ("CHIEU-NG", "chieu", "b"))
    )


def named_entities(printed):
    """Judge the p-values of the named-entity taggers by their public outputs.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. None can be checked, for what was done is not printed; sentences give
    the nearest p-values.
    """
    quoted, parts = printed.quoted, ner_scores()
    p = {part: found["p_value"] for part, found in parts.items()}
    how = (
        "p-values of a one-sided paired bootstrap over the sentences of the public outputs "
        "(two-sided p-values are twice as large): "
    )
    not_said = (
        "The paper does not state which part of the data it tested, whether the test was "
        "one-sided, or how many resamples it used."
    )
    both = "; ".join(
        f"{of['F1']:.4f} by F1 over all types and {of['macro-F1']:.4f} by macro-F1 on {part}"
        for part, of in p.items()
    )
    macro = _on_each({part: of["macro-F1"] for part, of in p.items()})
    free = _on_each({part: of[["macro-F1", *free_choice.TYPES]].min() for part, of in p.items()})
    found = [
        forensics.reread(
            forensics.judge(claim, macro, forensics.UNCHECKED, f"{how}{both}. {not_said}"),
            "F1 over all types, a micro-average, on eng.testb.",
        )
        for claim in (
            quoted["3.2"]["NER: FLORIAN against CHIEU-NG"],
            quoted["3.3"]["NER: p by macro-f1"],
        )
    ]
    claim = quoted["3.3"]["NER: p with a free choice of metric"]
    why = f"{how}the smallest one over macro-F1 and the F1 of each type is {free}. {not_said}"
    return [*found, forensics.judge(claim, free, forensics.UNCHECKED, why)]


def _on_each(numbers):
    return ", ".join(f"{number:.4f} on {part}" for part, number in numbers.items())
