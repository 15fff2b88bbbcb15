"""Test runs of DeepEval: test cases, with a score for each metric."""

from collections import Counter

from replicability.checks import InputError
from replicability.io.documents import Document


def _recognises(content):
    cases = content.get("testCases")
    first = cases[0] if isinstance(cases, list) and cases else None
    return isinstance(first, dict) and "metricsData" in first


def _rows(file, content):
    """Return a row for each test case: its input, whether it succeeded, and the metrics."""
    cases, found = content["testCases"], []
    inputs = Counter(str(case.get("input")) for case in cases)
    for number, case in enumerate(cases, 1):
        metrics = case.get("metricsData")
        if not isinstance(metrics, list) or not isinstance(case.get("success"), bool):
            raise InputError(
                f"{file}, test case {number} does not say whether it is a success by its metrics; "
                "write the file anew with deepeval test run."
            )
        text = str(case.get("input"))
        name = text if inputs[text] == 1 else str(case.get("name"))
        row = {"dataset": "tests", "instance": name, "success": case["success"]}
        row |= {str(metric.get("name")): metric.get("score") for metric in metrics}
        found.append((f"test case {number}", row))
    return found


DOCUMENT = Document("a test run of DeepEval", _recognises, _rows)
