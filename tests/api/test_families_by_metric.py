"""Families by a metric of totals: all pairs share their resamples, as each pair alone finds."""

import numpy as np

import replicability as rep


def folders(tmp_path):
    """Gold tags and those of three systems on two datasets."""
    rng = np.random.default_rng(3)
    for dataset in ("news", "letters"):
        gold = [["B-X" if right else "O" for right in rng.random(6) < 0.4] for _ in range(50)]
        for name, accuracy in {"gold": 1, "x": 0.9, "y": 0.85, "z": 0.5}.items():
            made = [[tag if rng.random() < accuracy else "O" for tag in tags] for tags in gold]
            lines = ["".join(f"w\t{tag}\n" for tag in tags) for tags in made]
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            (folder / f"{dataset}.tsv").write_text("\n".join(lines))
    return {name: tmp_path / name for name in ("x", "y", "z")}


def test_families_by_f1_have_the_pvalues_of_comparisons(tmp_path):
    data = folders(tmp_path)
    given = {"format": "spans", "gold": tmp_path / "gold", "test": "paired_bootstrap"}
    given["options"] = {"n_resamples": 4000}
    found = rep.all_pairs(data, **given)
    against = rep.against(data, "y", **given)
    for a, b in (("x", "y"), ("y", "z"), ("x", "z")):
        alone = rep.compare(data[a], data[b], **given)
        i, j = (found.systems.index(name) for name in (a, b))
        expected = dict(zip(alone.table["dataset"], alone.table["p_value"], strict=True))
        for dataset, p in zip(found.pairs.datasets, found.pairs.pvalues[i, j], strict=True):
            own = expected[dataset]
            assert abs(p - own) < 5 * np.sqrt(own * (1 - own) / 2000) + 1e-3, (a, b, dataset)
        if "y" in (a, b):
            np.testing.assert_array_equal(against.pairs.pvalues[i, j], found.pairs.pvalues[i, j])
