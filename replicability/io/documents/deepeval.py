"""Test runs of DeepEval: test cases or conversations, with a score for each metric."""

from collections import Counter
from itertools import chain

from replicability.checks import InputError
from replicability.io.documents import Document

_LATEST = "testRunData"
"""Key of the test run in ``.latest_test_run.json``."""

_CASES = {"testCases": "input", "conversationalTestCases": "scenario"}
"""Maps each list of test cases to the field that names a case."""

_METRICS = ("metricsData", "metricsMetadata")
"""Keys of the metrics of a test case, in newer and older versions."""


def _cases(content):
    """Return what names a test case, and the test cases; a run has some of one kind only."""
    run = content.get(_LATEST, content)
    run = run if isinstance(run, dict) else {}
    return next(((key, run[of]) for of, key in _CASES.items() if run.get(of)), ("input", None))


def _recognises(content):
    _, cases = _cases(content)
    first = cases[0] if isinstance(cases, list) else None
    return isinstance(first, dict) and any(key in first for key in _METRICS)


def _rows(file, content):
    """Return a row for each test case: its input, whether it succeeded, and the metrics."""
    key, cases = _cases(content)
    found, inputs = [], Counter(str(case.get(key)) for case in cases)
    for number, case in enumerate(cases, 1):
        metrics = next((case[of] for of in _METRICS if of in case), None)
        if not isinstance(metrics, list) or not isinstance(case.get("success"), bool):
            raise InputError(
                f"{file}, test case {number} has no list of metrics, or does not say whether it "
                "succeeded; recreate the file with deepeval test run."
            )
        text = str(case.get(key))
        name = text if case.get(key) is not None and inputs[text] == 1 else str(case.get("name"))
        row = {"dataset": "tests", "instance": name, "success": _success(case, metrics)}
        for metric in metrics:
            called = str(metric.get("name", metric.get("metric")))
            again = (f"{called} ({n})" for n in range(2, len(metrics) + 4))
            row[next(n for n in chain([called], again) if n not in row)] = metric.get("score")
        found.append((f"test case {number}", row))
    return found


def _success(case, metrics):
    """Tell whether a case is a success, None if a metric that ended in an error decides it."""
    errors = [metric for metric in metrics if metric.get("error") and not metric.get("flaky")]
    failed = [m for m in metrics if m.get("success") is False and not m.get("flaky")]
    return None if errors and all(metric in errors for metric in failed) else case["success"]


DOCUMENT = Document("a DeepEval test run", _recognises, _rows)
