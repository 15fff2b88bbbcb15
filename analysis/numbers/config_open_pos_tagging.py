"""Numbers of config/open/pos_tagging.md."""

from analysis.numbers.committed import amount, claims, result, settings, table


def numbers():
    """Return what the fields of the document may name."""
    settings_ = settings("outcomes")
    tagged = [t for t in settings_["treebanks"] if "language" in t]
    languages = settings_["low_resource"]["languages"]
    scores = table("open/table3_pos_tagging").set_index("dataset")
    teams = scores["HIT-SCIR"] - scores["LATTICE"]
    trained = scores["CRF"] - scores["perceptron"]
    close = {a: claims("spacy_sizes", a) for a in (0.05, 0.01)}
    sizes = scores["spaCy large"] - scores["spaCy small"]
    directions = table("open/table3_both_directions").set_index("claim")["estimate"]
    groups = table("open/table3_groups").set_index(["comparison", "group"])
    crf = claims("crf_perceptron", 0.05)
    languages_of_2018 = len([t for t in tagged if t["edition"] == 2018])
    trained_on_dev = len([x for x in languages if "dev" in x["train"]])
    many_only_just = (
        (result("open", "spacy_sizes")["p_value"] > 0.01)
        & (result("open", "spacy_sizes")["p_value"] <= 0.05)
    ).sum() > 5
    more_counted_than_named = all(len(f.identified_datasets) < 2 < f.k for f in close.values())
    mostly_indo_european = (
        groups["at least, α = 0.05"]["spaCy large vs small", "Indo-European"]
        > 5 * groups["at least, α = 0.05"]["spaCy large vs small", "other families"]
    )
    small_in_reverse = (result("open", "spacy_sizes")["p_reverse"] <= 0.025).sum()
    only_vietnamese = (
        amount(directions["spaCy small better"]) == 0
        and (
            result("open", "spacy_sizes").rows.set_index("dataset")["p_reverse"].drop("Vietnamese")
            > 0.3
        ).all()
    )
    group_differs = (
        groups.loc["CRF vs perceptron"]["at least, α = 0.05"]
        == groups.loc["CRF vs perceptron"]["datasets"]
    )
    teams_differ = result("open", "hitscir_lattice")["p_value"] <= 0.05
    return locals()
