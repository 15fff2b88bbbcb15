"""The part of the page on a family: its method, its sentences and its diagram."""

import dataclasses

import numpy as np
import pytest
from scipy import sparse

from replicability.core import all_pairs
from replicability.core.findings import counted, families
from replicability.io.study import Family
from replicability.stats import joint

FAMILY = Family(name="all", section="", title="All", systems=(), dependence="dependent")


def pairs(method="bonferroni", **more):
    pvalues = np.ones((3, 3, 4))
    pvalues[0, 1] = pvalues[0, 2] = 1e-9
    names = tuple("ABC"), ("news", "law", "talks", "<mail>")
    return all_pairs.Pairs(*names, np.zeros((3, 4)), pvalues, method=method, **more)


@pytest.mark.parametrize(
    ("dependence", "method", "said"),
    [
        (
            "independent",
            "fisher",
            "The lower bound therefore uses Fisher's method (Dror et al. 2017, Section 4.1)",
        ),
        ("dependent", "bonferroni", "The lower bound therefore uses Bonferroni's"),
        (
            "positive",
            "simes",
            "the datasets positively dependent. Each pair has its own closed testing",
        ),
        ("independent", "stouffer", "with the local test Stouffer. Its bound exceeds"),
    ],
)
def test_the_method_is_said(dependence, method, said):
    family = dataclasses.replace(FAMILY, dependence=dependence)
    assert said in counted.how_pairs_are_counted(family, pairs(method))


def test_flips_are_counted():
    scores = [sparse.csr_array(np.ones((5, 4)))] * 3
    flips = joint.flip_several(scores, 1200)
    said = counted.how_pairs_are_counted(FAMILY, pairs("joint", flips=flips))
    assert "the same 1,200 joint sign flips" in said


def test_sentences_and_diagram():
    found = pairs()
    assert (
        families.sentences(found, 0.05)[1] == "B and C do not differ significantly on any dataset."
    )
    said = families.layers_in_words(found, 0.05)
    assert said.startswith("Diagram of 2 tiers of systems")
    assert "B and C do not differ significantly" in said


def test_the_figure_of_counts_is_said_in_words():
    said = families.counts_in_words(pairs(), 0.05)
    assert said.startswith("Matrix of 3 by 3 systems")
    assert said.endswith("2 cells above the diagonal and 0 cells below it are not 0.")


def test_what_was_asked_is_said():
    family = dataclasses.replace(FAMILY, score="F1")
    said = families.what_was_asked(family, pairs(test="sign_flip"))
    assert said.startswith("3 systems are compared in pairs on 4 datasets by F1, with ")
    said = families.what_was_asked(family, pairs(test="sign_flip", against="A"))
    assert said.startswith("A is compared with 2 systems on 4 datasets by F1, with ")
