"""Numbers of config/open/dependency_parsing.md."""

from dataclasses import replace

import pandas as pd
import pyarrow as pa

from analysis.numbers.committed import (
    amount,
    claims,
    comparison,
    outcomes,
    printed,
    result,
    settings,
    table,
)
from replicability.core import recommendation, units
from replicability.io import formats
from replicability.stats import multiple_testing


def numbers():
    """Return what the fields of the document may name."""
    scores = table("open/table2_dependency_parsing").set_index("dataset")
    difference = scores["TurkuNLP"] - scores["UDPipe-Future"]
    right = outcomes("parsing.parquet").pivot_table(
        index="dataset", columns="system", values="las", aggfunc="sum"
    )
    sentences = outcomes("parsing.parquet").query("system == 'HUJI'").groupby("dataset")
    reverse = result("open", "turkunlp_udpipe").rows.set_index("dataset")["p_reverse"]
    sign_flip = result("open", "turkunlp_udpipe", test="sign_flip").rows.set_index("dataset")[
        "p_reverse"
    ]
    counts = (
        table("open/table1_summary")
        .set_index(["comparison", "alpha"])
        .loc[("TurkuNLP vs UDPipe", 0.05)]
    )
    directions = table("open/table2_both_directions").set_index("claim")
    groups = table("open/table2_groups").set_index(["comparison", "group"])
    turkunlp = {
        (m, a): claims("turkunlp_udpipe", a, method=m)
        for m in ("fisher", "bonferroni")
        for a in (0.05, 0.025, 0.01)
    }
    ranking = printed("zeman2018", "ranking").set_index("system")["las"]
    english = [t for t in settings("outcomes")["treebanks"] if "domains" in t]
    parts = {t["treebank"]: len(t["domains"]) for t in english}

    def by_sentence_id(d):
        return pa.array([i.rsplit("-", 1)[0] for i in d.identifiers.to_pylist()])

    of_sentences = {
        d.name: d
        for d in formats.read(comparison("open", "turkunlp_udpipe"))
        if d.name.startswith("EWT")
    }
    effects = {
        name: units.design_effect(d, units.by_unit(replace(d, units=by_sentence_id(d))))
        for name, d in of_sentences.items()
    }
    heads = outcomes("dependable.parquet").query("dataset.str.contains('UAS')")
    sample = heads.set_index(["dataset", "instance", "system"])["right"].unstack().astype(int)  # noqa: PD010
    words = heads.query("system == 'Mate'").set_index(["dataset", "instance"])["words"]
    spoken = result("open", "mate_redshift_sample").rows.set_index("dataset")
    genres = printed("dror2017", "table2").set_index("domain")
    over = {
        name: 100 * (sample["Mate"] - sample[name]).sum() / words.sum()
        for name in ("SpaCy", "Redshift")
    }
    over_in_genres = {name: genres["Mate"] - genres[name] for name in over}
    said = {
        (name, a): claims(f"mate_{name}_sample", a)
        for name in ("spacy", "redshift")
        for a in (0.05, 0.025, 0.01)
    }
    few_instances = recommendation.few_instances
    identify = multiple_testing.identify
    levels_that_name_both = len(
        {a for a in (0.05, 0.01) if len(said["spacy", a].identified_datasets) == len(spoken)}
    )
    genres_in_which_mate_leads = (
        len(genres)
        if all((d > 0).all() for d in over_in_genres.values())
        and min(
            sample.groupby("dataset").sum().eval("Mate - SpaCy").min(),
            sample.groupby("dataset").sum().eval("Mate - Redshift").min(),
        )
        > 0
        else None
    )
    only_reliable_sources = (
        said["redshift", 0.05].k
        if said["redshift", 0.05].identified_datasets == ["Reliable Sources (UAS)"]
        else None
    )
    as_by_holm = (
        [turkunlp["bonferroni", a].identified_datasets for a in (0.05, 0.01)]
        == [["EWT answers", "LinES"], ["LinES"]]
        == [
            [
                d
                for d, found in zip(
                    turkunlp["fisher", a].datasets,
                    identify(turkunlp["fisher", a].pvalues, a),
                    strict=True,
                )
                if found
            ]
            for a in (0.05, 0.01)
        ]
    )
    small_each_way = [
        (result("open", "turkunlp_udpipe")[p] <= 0.05).any() for p in ("p_value", "p_reverse")
    ]
    ahead_each_way = [(difference > 0).any(), (difference < 0).any()]
    ewt_by_bonferroni = turkunlp["bonferroni", 0.05].claims.at_least(
        turkunlp["bonferroni", 0.05].groups["EWT"]
    )
    one_way_of_two = (
        amount(directions["estimate"]["TurkuNLP better"])
        if pd.isna(directions["identified"]["TurkuNLP better"])
        else None
    )
    one_way_by_bonferroni = (
        turkunlp["bonferroni", 0.025].k
        if turkunlp["bonferroni", 0.025].identified.sum() == turkunlp["bonferroni", 0.025].k
        else None
    )
    gum_bio_by_flips = sign_flip["GUM bio"] if not any(identify(sign_flip, 0.05)) else None
    one_effect_is_large = sum(0.5 < effect < 1.5 for effect in effects.values()) == len(effects) - 1
    sentences_show_something = claims("turkunlp_udpipe", 0.05).k > 0
    first_beats_last = claims("hitscir_huji", 0.05).identified
    return locals()
