"""Imports go down only: the library's layers, and the wings of the compendium on top of them."""

import grimp
import pytest

LAYERS = [
    "analysis",
    "replicability.cli",
    "replicability.audit",
    "replicability.show",
    "replicability.compare",
    "replicability.io",
    "replicability.stats",
    "replicability.checks",
]
"""Highest first."""

WINGS = {"analysis.dror2017", "analysis.sogaard2014", "analysis.gorman2019"}

NOT_FOR_STATISTICS = {"pyarrow", "yaml", "matplotlib", "jsonschema", "jinja2"}
"""What `replicability.stats` does without."""


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(
        "replicability", "analysis", include_external_packages=True, cache_dir=None
    )


def test_no_layer_imports_one_above_it(graph):
    illegal = graph.find_illegal_dependencies_for_layers(layers=LAYERS)
    assert {(d.importer, d.imported): sorted(map(str, d.routes)) for d in illegal} == {}


def test_wings_do_not_import_each_other(graph):
    assert graph.find_illegal_dependencies_for_layers(layers=[WINGS]) == set()


def test_every_module_stands_in_a_layer(graph):
    own = {m for m in graph.modules if m.split(".")[0] in ("replicability", "analysis")}
    loose = {m for m in own if not any(f"{m}.".startswith(f"{layer}.") for layer in LAYERS)}
    assert loose == {"replicability", "replicability.__main__"} & own


def test_statistics_read_and_draw_nothing(graph):
    modules = graph.find_descendants("replicability.stats")
    imported = set().union(*(graph.find_modules_directly_imported_by(m) for m in modules))
    assert imported & NOT_FOR_STATISTICS == set()
