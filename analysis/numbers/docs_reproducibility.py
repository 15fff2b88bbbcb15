"""Numbers of docs/reproducibility.md."""

import pandas as pd

from analysis import paths
from analysis.numbers.committed import both_systems, names, outcomes, printed, settings, table


def numbers():
    """Return what the fields of the document may name."""
    p = printed("dror2017", "table3")["p-value"]
    mimick = printed("dror2017", "table3")["MIMICK"] > printed("dror2017", "table3")["Char→Tag"]
    counts = (
        table("table1_summary").set_index(["comparison", "alpha"]).loc[("MIMICK-Char→Tag", 0.05)]
    )
    two, leader = both_systems("MIMICK-Char→Tag")
    parsing = outcomes("parsing.parquet")
    tagging = outcomes("tagging.parquet")
    low = settings("outcomes")["low_resource"]
    turned = names(table("table5_both_directions")["turned round"][1])
    sources = pd.read_csv(paths.ROOT / "data" / "sources.csv")
    small_but_behind = ((p <= 0.05) & ~mimick).sum()
    without_a_licence = (
        sources.query(
            'source in ["big_bench_hard", "mmlu_pro", "function_calling", "swe_bench", "wmt24"]'
        )
        .drop_duplicates("source")["licence"]
        .str.contains("none stated|NC")
        .sum()
    )
    return locals()
