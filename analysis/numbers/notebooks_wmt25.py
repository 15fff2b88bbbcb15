"""Numbers of notebooks/wmt25.ipynb."""

from analysis.leaderboards import wmt25
from analysis.numbers.committed import parameter


def numbers():
    """Return what the fields of the document may name."""
    file = parameter("wmt25", "findings")
    grids = wmt25.read(file)
    shown = wmt25.contradictions(grids)
    favours = wmt25.favours(grids)
    first = shown["shy_gemini"]
    documents = wmt25.documents(grids)
    sizes = [shown[name] for name in shown if name.endswith("_sizes")]
    own = {
        judge: [g for name, g in favours.items() if name.startswith(f"{judge}_")]
        for judge in ("gpt", "command")
    }
    other = {"gpt": "Command A judge", "command": "GPT-4.1 judge"}

    def against_other(judge, side):
        return [
            g.sides[side].by(next(m for m in g.better.metrics if m.endswith(other[judge])))
            for g in own[judge]
        ]

    return {
        "grids": grids,
        "shown": shown,
        "first": first,
        "alone": wmt25.alone(file)["shy_gemini"],
        "n": len(first.datasets),
        "n_pairs": len(shown),
        "n_favours": len(favours),
        "n_claims": len(shown) + len(favours),
        "n_cells": first.better.steps.size,
        "by": lambda name, metric: shown[name].better.by(metric),
        "against": lambda name, metric: shown[name].worse.by(metric),
        "every": lambda name: shown[name].better.every(),
        "some": lambda name: shown[name].better.some(),
        "contradict": {name: len(g.contradicting) for name, g in shown.items()},
        "contradicting_pairs": sum(bool(g.contradicting) for g in shown.values()),
        "sizes": sizes,
        "smaller_wins": any(g.worse.some() for g in sizes),
        "differ": documents["differ"],
        "shared": documents["shared"],
        "apart": documents["not shared"],
        "bonferroni": documents["Bonferroni"],
        "effects": documents["design effect"],
        "for_own": lambda judge: against_other(judge, 0),
        "for_other": lambda judge: against_other(judge, 1),
        "favour_every": lambda judge: [g.better.every() for g in own[judge]],
    }
