"""Time one step of the explorer: a p-value moved among many datasets.

Run as ``python benchmarks/explorer.py``. In node, what is computed for a step; in Chromium, the
whole step, from the pointer's event to a page that is laid out anew, with 1,000 studies drawn
besides. Prints a Markdown table of milliseconds: the median of `STEPS` steps and their 99th
percentile, and the time of the processor that a step takes of the page's thread, which other
programs do not lengthen. What is missing on the machine is left out.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from analysis import paths
from replicability.io.study import Comparison
from replicability.show import html_explorer

sys.path.insert(0, str(paths.ROOT / "tests"))
from browsing import CHROMIUM, DESK, Browser

SIZES, STEPS = (7, 23, 60, 200), 200
KINDS = ("independent", "positive", "dependent")

COMPUTED = """
const x = require(process.argv[1]), { rows, dependence, steps } = JSON.parse(process.argv[2]);
const group = new Set(rows.map((_, i) => i).filter(i => i % 3 === 0)), times = [];
for (let step = 0; step < 2 * steps; step++) {
  rows[step % rows.length].p = ((step * 37) % 100) / 1000;
  const alpha = 0.01 + step / 1e4, start = process.hrtime.bigint();
  x.derived({ rows, alpha, dependence, turn: true, group });
  if (step >= steps) times.push(Number(process.hrtime.bigint() - start) / 1e6);
}
console.log(JSON.stringify(times));
"""

DRAWN = "for (let i = 0; i < 10; i++) document.querySelector('.x-draw').click();"

MOVED = """(async () => {
  const drawing = document.querySelector('.x-holm svg'), times = [];
  const dot = drawing.querySelector('[role=slider]'), send = (type, x, y) => drawing.dispatchEvent(
    new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, bubbles: true }));
  drawing.setPointerCapture = () => {};
  dot.scrollIntoView({ block: 'center' });
  const box = dot.getBoundingClientRect(), y = box.y + box.height / 2;
  send('pointerdown', box.x + 3, y);
  for (let step = 0; step < STEPS; step++) {
    const start = performance.now();
    send('pointermove', box.x + 100 * Math.sin(step / 5), y);
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
    if (step % 10 === 0) await new Promise(requestAnimationFrame);
  }
  return times;
})()""".replace("STEPS", str(STEPS))


def table(n):
    """Make p-values and scores of n datasets."""
    rng = np.random.default_rng(n)
    scores = rng.uniform(60, 90, n)
    p = rng.uniform(size=n) ** 3
    names = [f"dataset {i}" for i in range(n)]
    return pd.DataFrame({"dataset": names, "p_value": p, "score_a": scores + 1, "score_b": scores})


def in_node(n, dependence):
    rows = [{"name": d, "p": p, "a": a, "b": b} for d, p, a, b in table(n).itertuples(index=False)]
    given = json.dumps({"rows": rows, "dependence": dependence, "steps": STEPS})
    command = ["node", "-e", COMPUTED, str(html_explorer.FOLDER / "explorer.js"), given]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def in_browser(browser, folder, n, dependence):
    columns = {"dataset": "dataset", "p_value": "p"}
    block = Comparison(
        name="c",
        section="s",
        title="C",
        systems=("A", "B"),
        dependence=dependence,
        file="f",
        columns=columns,
    )
    element = html_explorer.element([html_explorer.example("c", block, table(n))])
    script, style = map(html_explorer.part, html_explorer.FILES)
    page = folder / "page.html"
    text = f"<!doctype html><meta charset=utf-8><style>{style}</style><body>{element}"
    page.write_text(f"{text}<script>{script}</script>", encoding="utf-8")
    browser.visit("about:blank")
    browser.visit(page.as_uri())
    browser.evaluate(DRAWN)
    before = busy(browser)
    times = browser.evaluate(MOVED)
    return times, 1000 * (busy(browser) - before) / STEPS


def busy(browser):
    """Return the seconds of processor time that the page's thread has worked."""
    found = browser.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in found}["TaskDuration"]


def main():
    folder = Path(tempfile.mkdtemp())
    browser = Browser(folder) if CHROMIUM else None
    if browser:
        browser.show(DESK)
        browser.send("Performance.enable", timeDomain="threadTicks")
    print("| datasets | dependence | computed, in node | a step, in Chromium | processor |")
    print("| --: | :-- | --: | --: | --: |")
    try:
        for n in SIZES:
            for kind in KINDS:
                computed = in_node(n, kind) if shutil.which("node") else []
                moved, used = in_browser(browser, folder, n, kind) if browser else ([], np.nan)
                cells = [
                    f"{np.median(run):.2f} ({np.percentile(run, 99):.2f})" if run else ""
                    for run in (computed, moved)
                ]
                cells.append("" if np.isnan(used) else f"{used:.2f}")
                print(f"| {n} | {kind} | {' | '.join(cells)} |", flush=True)
    finally:
        if browser:
            browser.process.terminate()


if __name__ == "__main__":
    main()
