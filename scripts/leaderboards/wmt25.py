"""The automatic scores of WMT25, a row for each segment and system.

    python scripts/leaderboards/wmt25.py FOLDER --output FILE

FOLDER holds a file for each system, with a line for each language pair and document. Kept are the
systems with all language pairs, and the metrics that every language pair has.
"""

import sys

import answers
import pandas as pd

from replicability import checks

NAMES = {
    "XCOMET-XL": "XCOMET-XL",
    "CometKiwi-XL": "CometKiwi-XL",
    "MetricX-24-Hybrid-XL": "MetricX-24",
    "GEMBA-ESA-GPT4.1": "GPT-4.1 judge",
    "GEMBA-ESA-CMDA": "Command A judge",
}
"""Metric -> its name for readers."""

JUDGES = ("GPT-4.1 judge", "Command A judge")

LANGUAGES = {
    "ar_EG": "Arabic", "bho_IN": "Bhojpuri", "bn_BD": "Bengali", "cs": "Czech", "cs_CZ": "Czech",
    "de_DE": "German", "el_GR": "Greek", "en": "English", "et_EE": "Estonian", "fa_IR": "Persian",
    "hi_IN": "Hindi", "id_ID": "Indonesian", "is_IS": "Icelandic", "it_IT": "Italian",
    "ja": "Japanese", "ja_JP": "Japanese", "kn_IN": "Kannada", "ko_KR": "Korean",
    "lt_LT": "Lithuanian", "mas_KE": "Maasai", "mr_IN": "Marathi", "ro_RO": "Romanian",
    "ru_RU": "Russian", "sr_Cyrl_RS": "Serbian (Cyrillic)", "sr_Latn_RS": "Serbian (Latin)",
    "sv_SE": "Swedish", "th_TH": "Thai", "tr_TR": "Turkish", "uk_UA": "Ukrainian",
    "vi_VN": "Vietnamese", "zh_CN": "Chinese",
}  # fmt: skip


def scores(folder):
    """Lay the scores of all segments out, with win shares of judges.

    `folder`: the files of the systems.

    Returns DataFrame. One row per system and segment: ``dataset``, the language pair; ``document``
    and ``instance``, upstream's document and the segment in it, and ``own_document`` and
    ``own_instance``, the same with the language pair; ``domain``; ``system``; a column for each
    metric; and for each judge and each other metric "judge minus metric", the win share of the
    system by the judge minus that by the metric. A win share is the share of the other systems that
    score lower on the segment, ties counted half.

    Raises `InputError`: if a file has another layout, or no system has all language pairs.
    """
    by_system = {path.stem: _read(path) for path in answers.found(folder, "*.jsonl")}
    pairs = {pair for table in by_system.values() for pair in table["pair"].unique()}
    whole = {name: of for name, of in by_system.items() if set(of["pair"]) == pairs}
    if not whole:
        raise checks.InputError(
            f"{folder}: no system has outputs for all {len(pairs)} language pairs."
        )
    table = pd.concat(
        [of.assign(system=name) for name, of in sorted(whole.items())], ignore_index=True
    )
    metrics = list(NAMES.values())
    keys = ["pair", "document", "place"]
    scored = table.assign(known=table[metrics].notna().all(axis=1)).groupby(keys)["known"]
    table = table[(scored.transform("sum") == len(whole)).to_numpy()].copy()
    shares = table.groupby(keys)[metrics].rank() - 1
    shares /= len(whole) - 1
    for judge in JUDGES:
        for metric in [name for name in metrics if name != judge]:
            table[f"{judge} minus {metric}"] = shares[judge] - shares[metric]
    table["dataset"] = table["pair"].map(_named)
    table["instance"] = table["document"] + " " + table["place"].astype(str)
    for name in ("document", "instance"):
        table[f"own_{name}"] = table["pair"] + " " + table[name]
    first = ["dataset", "document", "own_document", "instance", "own_instance", "domain", "system"]
    added = [name for name in table if " minus " in name]
    order = ["pair", "document", "place", "system"]
    return table.sort_values(order)[[*first, *metrics, *added]].reset_index(drop=True)


def _named(pair):
    """Return the name of a language pair, such as "English → Czech"."""
    source, _, target = pair.partition("-")
    for code in (source, target):
        checks.choice("language", code, LANGUAGES)
    return f"{LANGUAGES[source]} → {LANGUAGES[target]}"


def _read(path):
    """Read the file of a system; returns a row for each segment."""
    columns = {name: [] for name in ("pair", "document", "domain", "place", *NAMES.values())}
    for i, line in enumerate(answers.read_lines(path), 1):
        place = f"{path}, line {i}"
        kept = ("language_pair", "document_id", "domain")
        said = [answers.field(place, line, key, str) for key in kept]
        given = answers.field(place, line, "metric_scores", dict)
        found = [answers.field(place, given, upstream, list) for upstream in NAMES]
        n = len(found[0])
        if {n} != {*map(len, found)}:
            raise checks.InputError(f"{place}: the metrics have different numbers of segments.")
        for name, values in zip(
            columns, [*([of] * n for of in said), range(1, n + 1), *found], strict=True
        ):
            columns[name] += values
    table = pd.DataFrame(columns).astype(dict.fromkeys(NAMES.values(), float))
    answers.refuse_repeats(
        path, list(zip(table["pair"], table["document"], table["place"], strict=True))
    )
    return table


if __name__ == "__main__":
    sys.exit(answers.run(scores, __doc__))
