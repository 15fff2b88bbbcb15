"""Suites that people use, and the open study's own."""

import pytest

from analysis import suites
from replicability.compare import design


def test_suites_have_the_sizes_of_the_list():
    used = suites.read_suites(0.2, 0.05)
    assert [len(planned.sizes) for planned in used.values()] == [57, 27, 14, 12]
    uneven = used["12 categories (uneven)"].sizes
    assert (min(uneven), max(uneven)) == (40, 400)
    assert all(planned.method == "fisher" for planned in used.values())


def test_a_pilot_has_the_spread_and_the_method_of_its_comparison():
    (planned,) = suites.read_pilots("config/open.yaml", ["aesclsr_msda_reviews"], 0.05).values()
    assert (planned.binary, planned.method, len(planned.sizes)) == (True, "bonferroni", 12)
    assert set(planned.sizes) == {2000}


def test_gains_that_are_not_possible_are_left_out():
    named = {"some": design.suite([100] * 3, discordant=0.04)}
    assert suites.expected(named, [0.01, 0.05])["gain"].tolist() == ["1 point"]


def test_tables_have_the_reference_numbers():
    twenty = {"twenty": design.suite([500] * 20, discordant=0.15)}
    row = suites.expected(twenty, [0.03]).iloc[0]
    assert (row["count"], row["k_bonferroni"]) == (9.8, 2.5)
    assert row["k̂"] == pytest.approx(11.7, abs=0.15)
    grid = suites.by_size(suites.sizes(twenty, [0.03]))
    assert grid["instances"].tolist() == ["250", "500", "1,000", "2,000"]


def test_the_sentences_name_every_suite():
    twenty = {"twenty": design.suite([500] * 20, discordant=0.15)}
    assert suites.sentences(twenty, 0.03).startswith("twenty: With 20 datasets of 500 instances")
