"""The numbers of the paper: every field of `paper.typ`, from the committed tables."""

import re
from dataclasses import asdict

import yaml

from analysis import items, paths, remarks
from analysis.audited import AGAINST, AGREE, DEPENDS, UNCHECKED, audited
from analysis.dror2017 import audit as dror_audit
from analysis.dror2017 import claims
from analysis.numbers import notebooks_how_many_benchmarks
from analysis.published import read_published
from analysis.studies import read_study
from analysis.verdicts import share as in_words
from replicability import __version__, checks
from replicability.io import delimited

ALPHA, STRICT = "0.05", "0.01"
"""The levels of Table 1 and of footnote 13."""

NAMES = {
    "count": "count of $p <= alpha$",
    "bonferroni": "$hat(k)$, Bonferroni",
    "fisher": "$hat(k)$, Fisher",
}
"""Estimator -> its name, in Typst."""

PRINTED = {
    "table3": ("language", "MIMICK", "Char→Tag", "p-value"),
    "table5": ("dataset", "W2V", "GLOVE", "p-val."),
}
"""Table of the paper -> its columns: datasets, scores of A and of B, p-values."""

BOTH = {"parsing": "Mate-Redshift", "tags": "MIMICK-Char→Tag", "words": "W2V-GloVe"}
"""Field -> comparison of which both systems are bounded."""

SECTIONS = {
    "table2": "dependency parsing",
    "table3": "POS tagging",
    "table4": "sentiment",
    "table5": "word similarity",
}
"""Table of the paper -> what it is about."""


def fields():
    """Collect all fields.

    Returns dict. Name -> text, or lists and mappings of texts; nothing in it is typed here but
    names.
    """
    audit = delimited.read_table("tables/audit.csv")
    return {
        "version": __version__,
        "authors": authors(),
        "toy": toy(),
        "repetitions": repetitions(),
        "counts": counts(audit),
        "summary": summary(),
        "open_directions": directions("open/"),
        "boards": leaderboards(),
        "totals": totals(),
        "audited": added_up(),
        "claims": claimed(),
        "judged": judgements(audit),
        "both": {name: both_systems(title) for name, title in BOTH.items()},
        "tagging": signs("table3"),
        "similarity": signs("table5"),
        "verdicts": verdicts(audit),
        "disputed": disputed(audit),
        "sizes": sizes(),
        "choices": choices(),
        "rankings": rankings(),
        "parts": parts(),
    }


def share(cell):
    """Write a probability as a percentage with one decimal."""
    return f"{float(cell.partition(' ')[0]):.1%}"


def toy():
    """Read the probabilities of Section 5, by example and estimator."""
    table = delimited.read_table("tables/section5_toy_examples.csv")
    found = {}
    for row in table.to_dict("records"):
        simulated = row["1,000,000 families"]
        found.setdefault(row["example"], {})[row["estimator"]] = {
            "name": NAMES[row["estimator"]],
            "published": row["published"],
            "simulated": simulated,
            "exact": row["exact"] or "none",
            "share": share(row["exact"] or simulated),
            "beyond": row["P(k̂ > k + 1)"],
        }
    return found


def repetitions():
    """Read how many studies Section 5 simulates, in the paper and here."""
    columns = delimited.read_table("tables/section5_toy_examples.csv").columns
    here = [c.removesuffix(" families") for c in columns if c.endswith(" families")]
    return dict(zip(("paper", "ours"), here, strict=True))


def counts(audit):
    """Set the printed counts of Table 1 and footnote 13 beside those of the printed p-values.

    Returns dict. ``rows``: a list of texts for each comparison and level; ``n``, ``differ``: how
    many there are, and how many differ; ``odd``: the first that does.
    """
    pattern = r"(?P<name>.+), alpha = (?P<alpha>[\d.]+): k-hat by (?P<method>\w+)"
    listed = audit[audit["item"].isin(["Table 1", "footnote 13"])]
    listed = listed.join(listed["claim"].str.extract(pattern)).dropna(subset=["method"])
    listed["method"] = listed["method"].str.lower()
    datasets = delimited.read_table("tables/table1_summary.csv").set_index("comparison")["datasets"]
    rows = []
    for (name, alpha), group in listed.groupby(["name", "alpha"], sort=False):
        cells = group.set_index("method")[["published", "recomputed"]]
        values = [v for method in NAMES for v in cells.loc[method]]
        rows.append([pair(name), datasets[name].iloc[0], alpha, *values])
    rows.sort(key=lambda row: row[2], reverse=True)
    odd = listed[listed["published"] != listed["recomputed"]]
    first = odd.to_dict("records")[0]
    return {
        "rows": rows,
        "n": str(len(listed)),
        "same": str(len(listed) - len(odd)),
        "differ": str(len(odd)),
        "odd": {k: first[k] for k in ("name", "alpha", "method", "published", "recomputed")},
    }


def pair(name):
    """Write the name of a comparison with a dash between its systems."""
    a, b = name.split(" vs ") if " vs " in name else name.rsplit("-", 1)
    return f"{a} – {b}"


def summary():
    """Read Table 1 at its level: comparison, without marks -> datasets and estimates."""
    table = delimited.read_table("tables/table1_summary.csv").query("alpha == @ALPHA")
    return {
        re.sub(r"\W", "", row["comparison"]).lower(): {
            "datasets": row["datasets"],
            "count": row["k_count"],
            "bonferroni": row["k_bonferroni"],
            "fisher": row["k_fisher"],
        }
        for row in table.to_dict("records")
    }


def claimed():
    """Judge the claims of the first paper: the verdict of each, and what its readings give."""
    found = {}
    for name in claims.entries():
        judged = claims.judged(name)
        found[name] = {
            "verdict": judged.verdict,
            "claimed": str(judged.claimed),
            "reason": judged.reason,
            "most": str(max(judged.found.values())),
            "least": str(min(judged.found.values())),
            "tests": remarks.words(len(judged.holds)),
            "kept": checks.enumerated(case for case, holds in judged.holds.items() if holds)
            if any(judged.holds.values())
            else "none",
            "hold": remarks.words(sum(judged.holds.values())),
        }
    return found


def judgements(audit):
    """Give the words of judgement of the prose, each if its share fits."""
    first = audit[audit["paper"] == audit["paper"][0]]
    lists = first[first["kind"] == "list"]["verdict"]
    unchecked = first[first["verdict"] == "cannot be checked"]
    scores = ~unchecked["claim"].str.contains("p-val")
    p = read_published("dror2017", "table2")["p-val (Mate,Redshift)"].astype(float)
    return {
        "names": in_words(lists.isin(AGREE)).in_place_of("All"),
        "unchecked": in_words(scores).in_place_of("most"),
        "moderate": in_words((p > float(ALPHA)) & (p < 0.2)).in_place_of("most"),
    }


def both_systems(title):
    """Bound both systems of a comparison, by the printed scores: if two-sided, and if not."""
    column = dror_audit.columns_of(claims.STUDY)[title]
    bounds = list(dror_audit.both_systems(column, float(ALPHA)).bounds.values())
    return {
        reading: {name: str(getattr(bound, name)) for name in ("differ", "a", "b")}
        for reading, bound in zip(("two", "leader"), bounds, strict=True)
    }


def directions(folder):
    """Read both directions of each section: a list of texts for each comparison."""
    found = []
    for stem, section in SECTIONS.items():
        table = delimited.read_table(f"tables/{folder}{stem}_both_directions.csv")
        for _, rows in table.groupby("comparison", sort=False):
            a, b = rows["claim"].str.removesuffix(" better")
            there, back = rows["estimate"]
            turned = ", ".join(filter(None, rows.get("named against the scores", ())))
            found.append(
                {
                    "section": section,
                    "a": a,
                    "b": b,
                    "there": there,
                    "back": back,
                    "turned": turned,
                    "forth": there.partition(" ")[0],
                    "back_n": back.partition(" ")[0],
                }
            )
    return found


def totals():
    """Read the totals of the audit: a list of texts for each paper and kind."""
    table = delimited.read_table("tables/audit_totals.csv").to_dict("records")
    return [
        [
            row["paper"],
            f"{row['kind']}s",
            str(sum(int(row[verdict]) for verdict in AGREE)),
            str(sum(int(row[verdict]) for verdict in AGAINST)),
            row[DEPENDS],
            row[UNCHECKED],
            row["total"],
        ]
        for row in table
    ]


def added_up():
    """Add the totals up, for the first paper and for all of them."""
    return {
        name: {key: str(n) for key, n in asdict(audited(paper)).items()}
        for name, paper in (("first", "Dror"), ("all", ""))
    }


def verdicts(audit):
    """Count the disputed and the doubtful of the first paper, by kind and verdict."""
    first = audit[audit["paper"] == audit["paper"][0]]
    disputed, depends = first[first["verdict"].isin(AGAINST)], first["verdict"] == DEPENDS
    return {
        "simulated": str((disputed["item"] == "Section 5").sum()),
        "similarity": str((depends & (first["item"] == "Table 5")).sum()),
        "directions": str((depends & (first["kind"] == "direction")).sum()),
        "sentiment": str((depends & (first["item"] == "Table 4")).sum()),
    }


def signs(item):
    """Count the small p-values of a table that stand where the other system scores higher."""
    name, a, b, p = PRINTED[item]
    table = delimited.read_table(f"data/published/dror2017/{item}.csv")
    small = table[table[p].astype(float) <= float(ALPHA)]
    *others, last = small.loc[small[a].astype(float) < small[b].astype(float), name]
    return {
        "small": str(len(small)),
        "against": str(len(others) + 1),
        "largest": max(table[p], key=float),
        "names": f"{', '.join(others)} and {last}" if others else last,
    }


def disputed(audit):
    """List what does not agree with what is printed, with its arithmetic in a sentence."""
    rows = audit[audit["verdict"].isin(AGAINST)].to_dict("records")
    return [
        [
            f"{row['paper'].partition(' ')[0]}, {row['item']}",
            row["claim"],
            row["published"],
            row["recomputed"],
            row["sentence"],
        ]
        for row in rows
    ]


def sizes():
    """Say of the sizes of the tests at the level of Table 1 how many exceed it, and where most."""
    table = delimited.read_table("tables/test_sizes.csv").query("alpha == @ALPHA")
    columns = [column for column in table if column.startswith("n = ")]
    exceeds = table[columns].apply(lambda column: column.str.endswith("+")).any(axis=1)
    cells = table.set_index(["scores", "test"])[columns].stack()
    rates = cells[cells != ""].str.partition(" ")[0].astype(float)
    (scores, test, n), fixed = rates.idxmax(), rates.xs("bootstrap, m = 500", level="test")
    return {
        "tests": str(len(table)),
        "exceed": str(int(exceeds.sum())),
        "most": {"rate": f"{rates.max():.0%}", "scores": scores, "test": test, "n": n[4:]},
        "fixed": f"{fixed.max():.0%}",
        "fixed_n": fixed.idxmax()[1][4:],
    }


def authors():
    """Name the authors as `CITATION.cff` does."""
    cited = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return checks.enumerated(author["name"] for author in cited["authors"])


def leaderboards():
    """Read what all pairs of systems of each leaderboard show."""
    table = delimited.read_table("tables/leaderboards/leaderboards_pairs.csv")
    found = {}
    for row in table.to_dict("records"):
        found[row["benchmark"]] = {
            "systems": row["systems"],
            "pairs": f"{int(row['pairs']):,}",
            "datasets": row["datasets"],
            "lower": str(int(row["lower"]) + int(row["both"])),
            "neighbours": row["neighbours"],
            "lead": row["largest lead, no difference"],
            "all_from": row["all differ from"],
        }
    shown = ("systems", "pairs", "datasets", "lower", "neighbours", "lead")
    return {
        "n": str(len(found)),
        "rows": [[name, *(board[key] for key in shown)] for name, board in found.items()],
        "swe": found["SWE-bench"],
        "mmlu": found["MMLU-Pro"],
        "calls": found["Berkeley Function Calling"],
        "without_relevance": str(notebooks_how_many_benchmarks.numbers()["without_relevance"]),
    }


def choices():
    """Read the free choices of Søgaard et al. (2014) at the first level."""
    table = delimited.read_table("tables/sogaard_section3_toy_examples.csv").query("α == @ALPHA")
    rows = {row["choice"]: row for row in table.to_dict("records")}
    return {
        re.sub(r"\W", "_", name): {
            "printed": row["published"],
            "theory": share(row["theory"]),
            "k_hat": share(row["P(k̂ > 0)"]),
        }
        for name, row in rows.items()
    }


def rankings():
    """Read how often random splits return the ranking by tokens, for each corpus."""
    table = delimited.read_table("tables/open/gorman_section3_2_rankings.csv")
    tokens = table.query("metric == 'token'").to_dict("records")
    return {
        row["dataset"].lower(): {
            "taggers": str(len(row["standard split, best first"].split(", "))),
            "splits": row["random splits"],
            "same": row["same order"],
            "best": row["same best"],
        }
        for row in tokens
    }


def parts():
    """Count the items of the compendium: a list of texts for each part of `config/items.yaml`."""
    found = {}
    for study in items.FOLDERS:
        for row in items.rows(read_study(f"config/{study}.yaml"), items.read_notebooks()):
            chapters, kinds = found.setdefault(row.notebook.part, (set(), []))
            chapters.add(row.notebook.name)
            kinds += [item.kind for item in row.items]
    return [
        [part, str(len(chapters)), str(kinds.count("tables")), str(kinds.count("figures"))]
        for part, (chapters, kinds) in found.items()
    ]
