"""Three questions about two systems: counted, global and over the population of datasets."""

import numpy as np
from scipy import stats

import replicability as rep
from analysis.dror2017 import questions
from analysis.published import read_published
from analysis.studies import host


def test_the_answers_for_the_published_study_by_scipy():
    results = rep.read_study("config/paper.yaml", alpha=[0.05], host=host()).ask()
    found = questions.three_questions(results).set_index("comparison")
    assert len(found) == 5
    for title, item, a, b in (
        ("Mate-Redshift", "table2", "Mate", "Redshift"),
        ("MIMICK-Char→Tag", "table3", "MIMICK", "Char→Tag"),
        ("W2V-GloVe", "table5", "W2V", "GLOVE"),
    ):
        table = read_published("dror2017", item)
        scores = [table[name].astype(float).to_numpy() for name in (a, b)]
        d = np.round(scores[0] - scores[1], 4)  # the printed digits, so that ties are ties
        row = found.loc[title]
        assert row["A ahead"] == (d > 0).sum()
        sign = stats.binomtest(int((d > 0).sum()), int((d != 0).sum())).pvalue
        assert float(row["p, population (sign test)"]) == round(sign, 4)
        if len(set(np.abs(d))) == len(d):
            exact = stats.wilcoxon(d, method="exact").pvalue
            assert float(row["p, population (Wilcoxon)"]) == round(exact, 4)


def test_the_global_null_is_rejected_exactly_where_something_is_counted():
    results = rep.read_study("config/paper.yaml", alpha=[0.05], host=host()).ask()
    for row in questions.three_questions(results).itertuples():
        p = float(row[6].lstrip("< "))
        assert (p <= 0.05) == (row[3] > 0)


def test_dependent_datasets_are_said_to_be_no_draws():
    results = rep.read_study("config/paper.yaml", alpha=[0.05], host=host()).ask()
    found = questions.three_questions(results).set_index("comparison")["independent draws"]
    assert found["AE-SCL-SR-MSDA"].startswith("no")
    assert found["Mate-SpaCy"].startswith("if")
