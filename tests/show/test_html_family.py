"""The part of the page on a family: its method, its sentences and its diagram."""

import dataclasses

import numpy as np
import pytest

from replicability.core import all_pairs
from replicability.core.findings import counted, families
from replicability.io.study import Family
from replicability.show import html_report
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
        ("independent", "fisher", "made with Fisher's method (Dror et al. 2017, Section 4.1)"),
        ("dependent", "bonferroni", "made with Bonferroni's method"),
        ("positive", "simes", "the datasets positively dependent. Each pair has a closed testing"),
        ("independent", "stouffer", "with the local test Stouffer: its count exceeds"),
    ],
)
def test_the_method_is_said(dependence, method, said):
    family = dataclasses.replace(FAMILY, dependence=dependence)
    assert said in counted.how_pairs_are_counted(family, pairs(method))


def test_flips_are_counted():
    flips = joint.Several(np.zeros((3, 1200, 4)), np.ones((3, 3, 4)), np.eye(4, dtype=int))
    said = counted.how_pairs_are_counted(FAMILY, pairs("joint", flips=flips))
    assert "the same 1,200 flips for all pairs" in said


def test_sentences_and_diagram():
    shown = html_report._order(FAMILY, pairs(), 0.05)
    assert shown["sentences"] == families.sentences(pairs(), 0.05)
    assert shown["sentences"][1] == "B and C cannot be told apart on any dataset."
    assert shown["figure"].startswith('<svg role="img" aria-label="Diagram of 2 layers of systems')
    assert "B and C cannot be told apart" in shown["figure"]
    assert 'id="l-all-' in shown["figure"]
    assert shown["how"] == families.how_to_read(pairs(), 0.05)
