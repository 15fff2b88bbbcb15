"""Numbers of notebooks/translation.ipynb."""

import re

from analysis.leaderboards import translation as wmt24
from analysis.numbers.committed import amount, leads, table


def numbers():
    """Return what the fields of the document may name."""
    systems = table("leaderboards/wmt24_systems").set_index("system")
    pair = table("leaderboards/wmt24_pair").set_index("language pair")
    counts = table("leaderboards/wmt24_counts").query("alpha == 0.05").set_index("comparison")
    both = table("leaderboards/wmt24_both_directions").set_index("claim")
    correlated = table("leaderboards/wmt24_correlations").set_index("over pairs of systems")
    methods = table("leaderboards/wmt24_methods").set_index("method")
    joint = table("leaderboards/wmt24_family").set_index("claims").loc["jointly"]
    upsets = table("leaderboards/wmt24_upsets")
    claude = table("leaderboards/wmt24_ranking").set_index("system").loc["Claude-3.5"]
    judged = table("leaderboards/wmt24_audit").set_index("item")
    segments = table("leaderboards/wmt24_segments").set_index(["comparison", "language pair"])
    leaders = "Claude-3.5 vs Unbabel-Tower70B"
    ordered = len(systems) * (len(systems) - 1)
    effects = table("leaderboards/wmt24_effects").set_index("language pair")
    judgements = wmt24.audit()
    scales = [re.findall(r"(?:values|a scale) from 1 to (\d+)", v.sentence) for v in judgements]
    longer = [int(scale[1]) - int(scale[0]) for scale in scales if len(scale) == 2]
    rereadings = len(longer)
    leaders_by_segments = (
        float(segments.loc[(leaders, "English → Russian"), "A, by segments"]) < 0.0001
    )
    summary = table("leaderboards/leaderboards_pairs").set_index("benchmark").loc["WMT24"]
    neighbours_that_differ = amount(summary["neighbours"])
    online_ahead = leads("gpt_online", "leaderboards") < 0
    decided = judged.drop(columns=["cannot be checked", "total"]).drop("Automatic ranking")
    others_agree = decided.filter(like="agrees").sum().sum() / decided.sum().sum()
    return locals()
