"""No line of a terminal is longer than 80 characters, whatever the names; answers stay."""

import random

import pytest

from replicability import cli

NAMES = [
    f"bbh_tracking_shuffled_objects_with_seven_objects_{n:02d}_chain_of_thought" for n in range(30)
]
A, B, C = "meetkai/functionary-medium-v3.1-FC", "claude-3-5-sonnet-20240620-FC", "xLAM-2-70b-fc-r"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write scores of two and of three systems, p-values and a table for each."""
    folder, draw = tmp_path_factory.mktemp("width"), random.Random(1)
    rows = [
        f"{name},{item},{draw.random() + 0.3 * (n % 2):.3f},{draw.random():.3f},{draw.random():.3f}"
        for n, name in enumerate(NAMES)
        for item in range(15)
    ]
    write = {
        "two.csv": [f"dataset,instance,{A},{B}", *(row.rpartition(",")[0] for row in rows)],
        "three.csv": [f"dataset,instance,{A},{B},{C}", *rows],
        "p.csv": [
            f"dataset,p,{A},{B}",
            *(f"{name},{draw.random() ** 6:.3g},0.5,0.4" for name in NAMES),
        ],
        "few.csv": ["dataset,instance,a,b", *(f"d,{n},{n % 2},{n % 3 == 0:d}" for n in range(30))],
    }
    for name, lines in write.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


GROUP = f"--group=the first five={','.join(NAMES[:5])}"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["compare", "two.csv"], "named"),
        (["compare", "two.csv", "--alternative", "greater", "--independent"], "named"),
        (["compare", "two.csv", "--alpha", "0.05", "--alpha", "0.01", GROUP], "named"),
        (["compare", "few.csv"], "named"),
        (["pvalues", "p.csv", "--sided", "one"], "named"),
        (
            ["pvalues", "p.csv", "--sided", "two", "--scores", A, B, "--alternative", "two-sided"],
            "named",
        ),
        (["pvalues", *(f"0.0{n + 1}" for n in range(9))], "named"),
        (["family", "three.csv"], "worse than"),
        (["family", "three.csv", "--against", B], "named"),
        (["check", "two.csv"], "Next:"),
        (["check", "p.csv"], "Next:"),
        (["gate", "two.csv", "--systems", A, B, "--margin", "0.1"], "margin"),
        (["design", "--datasets", "12", "--items", "40:400", "--discordant", "0.25"], "k-hat"),
        (["tests"], "mcnemar"),
    ],
)  # fmt: skip
def test_lines_fit_into_80_columns_and_end_in_what_to_do(
    arguments, answer, capsys, files, monkeypatch
):
    monkeypatch.chdir(files)
    cli.main(arguments)
    lines = capsys.readouterr().out.splitlines()
    command = "  replicability "  # a path may be longer than a line
    assert [line for line in lines if len(line) > 80 and not line.startswith(command)] == []
    assert any(answer in line for line in lines)
    assert arguments == ["tests"] or "Next: " in "\n".join(lines[-4:])


def test_long_names_are_broken_but_complete(capsys, files, monkeypatch):
    monkeypatch.chdir(files)
    cli.main(["pvalues", "p.csv", "--sided", "one"])
    assert "e-0" not in capsys.readouterr().out
    cli.main(["compare", "two.csv"])
    _, _, below = capsys.readouterr().out.partition("difference (95% interval)")
    names = "".join(line.split("  ")[0] for line in below.partition("* marks")[0].splitlines()[2:])
    assert all(name in names for name in NAMES)
