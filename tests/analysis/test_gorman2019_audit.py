import itertools

import numpy as np
import pytest

from analysis.gorman2019 import agreement
from analysis.gorman2019 import audit as paper_audit
from analysis.published import read_published
from replicability import forensics


def test_agreement_by_the_matrix_of_coincidences():
    example = read_published("gorman2019", "table4").set_index("row").drop("Gold")
    labels = sorted(set(example.to_numpy().ravel()))
    matrix = np.zeros((len(labels), len(labels)))
    for name in example:
        for x, y in itertools.permutations(example[name], 2):
            matrix[labels.index(x), labels.index(y)] += 1 / (len(example) - 1)
    total, margins = matrix.sum(), matrix.sum(axis=0)
    expected = (total**2 - margins @ margins) / (total - 1)
    alpha = 1 - (total - np.trace(matrix)) / expected
    assert agreement.alpha(example) == pytest.approx(alpha)


def test_no_number_of_gorman_and_bedrick_is_contradicted(prose, verdicts):
    assert "Gorman and Bedrick (2019): no contradiction" in prose
    assert "None of the checked numbers is contradicted" in prose
    assert set(forensics.disputed(verdicts[0])["paper"]) == {
        "Dror et al. 2017",
        "Søgaard et al. 2014",
    }


@pytest.mark.parametrize(
    ("item", "where", "column", "printed", "check", "claimed"),
    [
        (
            "table2",
            {"tagger": "TnT"},
            "PTB token CI low",
            ".9640",
            paper_audit.accuracies,
            "PTB token CI low of TnT",
        ),
        (
            "table2",
            {"tagger": "TnT"},
            "PTB token replicated",
            ".9722",
            paper_audit.mcnemar_pvalues,
            "p-value of TnT (PTB) against LAPOS (PTB)",
        ),
        (
            "text",
            {"quantity": "Krippendorff's alpha"},
            "printed",
            ".512",
            paper_audit.agreement_and_progress,
            "Krippendorff's alpha",
        ),
        (
            "text",
            {"quantity": "taggers that did not run"},
            "printed",
            "2",
            paper_audit.tagger_counts,
            "taggers that did not run",
        ),
        (
            "table1",
            {"corpus": "Penn Treebank", "part": "Test."},
            "tokens",
            "129,655",
            paper_audit.sizes,
            "tokens of Penn Treebank Test.",
        ),
    ],
)
def test_another_printed_number_gets_another_verdict(
    altered, item, where, column, printed, check, claimed
):
    before = {found.claim: found.verdict for found in check(paper_audit.read_paper())}
    altered(paper_audit, item, where, column, printed)
    after = {found.claim: found.verdict for found in check(paper_audit.read_paper())}
    assert before[claimed] == forensics.AGREES
    assert after[claimed] in (forensics.CONTRADICTED, forensics.IMPOSSIBLE, forensics.UNCHECKED)
