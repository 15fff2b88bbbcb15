"""One verdict under several readings, and columns judged by the form that gave them."""

import itertools

import pytest
from claims import claim

from analysis.published import read_published
from replicability import forensics
from replicability.stats import paired

SOME = [forensics.REPRODUCED, forensics.CONTRADICTED, forensics.IMPOSSIBLE, forensics.UNCHECKED]


def judged(verdict):
    return forensics.judge(claim("1"), verdict, verdict, "Why.")


@pytest.mark.parametrize("first", SOME)
@pytest.mark.parametrize("second", SOME)
def test_what_an_allowed_reading_leaves_standing_is_not_contradicted(first, second):
    found = forensics.weigh_readings({"so": judged(first), "thus": judged(second)})
    back = forensics.weigh_readings({"thus": judged(second), "so": judged(first)})
    assert found.verdict == back.verdict
    against = {forensics.CONTRADICTED, forensics.IMPOSSIBLE}
    if {first, second} <= against:
        assert found.verdict in against
    elif not against & {first, second}:
        assert found.verdict in (forensics.AGREES, forensics.UNCHECKED)
    else:
        assert found.verdict == forensics.DEPENDS
        assert found.readings.count(": ") == 2
        assert found.basis == ""


def test_readings_are_listed_with_their_verdicts():
    found = forensics.weigh_readings(
        {"rounded": judged(forensics.IMPOSSIBLE), "cut off": judged(forensics.UNCHECKED)}
    )
    assert found.readings == "rounded: impossible; cut off: possible"
    assert found.sentence == "Rounded: Why. Cut off: Why."
    assert found.recomputed == "impossible; cannot be checked"


def test_a_contradiction_has_the_arithmetic_of_each_reading():
    found = forensics.weigh_readings(
        {"one way": judged(forensics.IMPOSSIBLE), "another": judged(forensics.CONTRADICTED)}
    )
    assert (found.verdict, found.readings) == (forensics.CONTRADICTED, "")
    assert found.sentence == "One way: Why. Another: Why."
    assert found.recomputed == "impossible; contradicted"


@pytest.mark.parametrize(
    ("printed", "number", "grade"),
    [
        ("1.9%", 0.0199, forensics.DEPENDS),
        ("2.0%", 0.0199, forensics.REPRODUCED),
        ("1.8%", 0.0199, forensics.CONTRADICTED),
        ("0.9", 0.9999, forensics.DEPENDS),
        ("1", 2, forensics.CONTRADICTED),
        ("-1.9", -1.99, forensics.DEPENDS),
        ("<2%", 0.0199, forensics.REPRODUCED),
    ],
)
def test_a_number_that_was_cut_off(printed, number, grade):
    found = forensics.value(claim(printed), number, "So it is.")
    assert found.grade == grade
    if grade == forensics.DEPENDS:
        assert found.readings == "rounded: contradicted; cut off: agrees"


def test_trivial_agreement_is_counted_apart():
    made = [
        forensics.value(claim("7"), 7, "Rows of the table.", trivial=True),
        forensics.value(claim("8"), 7, "Rows of the table.", trivial=True),
        forensics.count(claim("1"), ["0.01", "0.9"], 0.05, "count", trivial=True),
        forensics.value(claim("7"), 7, "By theory."),
    ]
    assert [verdict.grade for verdict in made] == [
        forensics.TRIVIAL,
        forensics.CONTRADICTED,
        forensics.TRIVIAL,
        forensics.REPRODUCED,
    ]
    totals = forensics.totals(forensics.table(made)).set_index("verdict")["numbers"]
    assert totals[forensics.TRIVIALLY] == 2
    assert totals[forensics.AGREES] == 1


def table4(longer=None):
    table = read_published("dror2017", "table4")
    at = (table[name] for name in ("setup", "p-value", "AE-SCL-SR", "MSDA"))
    found = forensics.mcnemar_column("p", "t", *at, 2000, longer=longer)
    return {verdict.claim.removeprefix("p-value of "): verdict for verdict in found}


def test_a_column_is_judged_by_the_form_that_gave_it():
    found = table4()
    depends = [name for name, verdict in found.items() if verdict.verdict == forensics.DEPENDS]
    assert depends == ["B → K", "D → B"]
    assert {v.verdict for n, v in found.items() if n not in depends} == {forensics.UNCHECKED}
    assert "mid-p two-sided (261)" in found["E → K"].sentence
    assert found["E → K"].sentence.startswith(
        "Read in the column's form (mid-p two-sided, cut off): Accuracies of 0.8455 and 0.845 on "
        "2,000 items differ"
    )
    assert "exact greater (155)" in found["B → K"].sentence
    assert "asymptotic two-sided (113)" in found["D → B"].sentence


def test_digits_from_elsewhere_are_a_reading_of_their_own():
    found = table4(["0.026856", "0.001154", "0.011908", *[""] * 9])["B → K"]
    assert found.verdict == forensics.DEPENDS
    assert found.published == "0.0268"
    assert found.readings.endswith("with the authors' longer version, 0.026856: impossible")


def test_a_short_column_is_judged_cell_by_cell():
    at = ["x"], ["0.0186"], ["0.7730"], ["0.7605"], 2000
    (found,) = forensics.mcnemar_column("p", "t", *at)
    assert found.verdict == forensics.DEPENDS  # asymptotic, 113 discordant: .01868
    assert found.readings == "rounded: impossible; cut off: possible"
    (found,) = forensics.mcnemar_column("p", "t", ["x"], ["0.9300"], ["0.8455"], ["0.8450"], 2000)
    assert found.verdict == forensics.IMPOSSIBLE


def test_columns_of_every_form_are_never_called_impossible():
    leads, discordant = [55, 44, 59, 98, 32, 25, 57, 62], [287, 306, 417, 426, 184, 113, 319, 364]
    for variant, side in itertools.product(paired.VARIANTS, ("greater", "two-sided")):
        for cut in (False, True):
            p = [
                paired.mcnemar_pvalues(
                    (d + lead) // 2, (d - lead) // 2, variant=variant, alternative=side
                )
                for lead, d in zip(leads, discordant, strict=True)
            ]
            texts = [f"{int(x * 1e4) / 1e4 if cut else x:.4f}" for x in p]
            a = [f"{(1400 + lead) / 2000:.4f}" for lead in leads]
            found = forensics.mcnemar_column("p", "t", leads, texts, a, ["0.7000"] * 8, 2000)
            assert forensics.IMPOSSIBLE not in {verdict.verdict for verdict in found}
