"""Write codemeta.json and codecheck.yml anew: python scripts/describe.py

The first says of the software what `CITATION.cff` and `pyproject.toml` say, the second lists every
table and figure of `config/items.yaml`, which a check of the computations has to make anew.
"""

import json
import re
import sys
import tomllib

import yaml

from analysis import command, items, paths
from analysis.studies import read_study
from replicability.io.text import read_text

CHECKED = "https://codecheck.org.uk/spec/config/1.0/"
"""The version of the specification that codecheck.yml follows."""

LINKED = r" ?\(\[[^]]*\]\([^)]*\)\)"
"""A link in parentheses after a title."""


@command.status
def main():
    """Write both files; return the exit status."""
    for name, text in (("codemeta.json", codemeta()), ("codecheck.yml", codecheck())):
        (paths.ROOT / name).write_text(text, encoding="utf-8")


def cited():
    """Read CITATION.cff.

    Returns dict. What it says.
    """
    return yaml.safe_load(read_text("CITATION.cff"))


def name_of(author):
    """Return the name of an author in CITATION.cff, a person or a group."""
    return author.get("name") or f"{author['given-names']} {author['family-names']}"


def doi_of(work):
    """Return the address of a work's DOI."""
    return f"https://doi.org/{work['doi']}"


def codemeta():
    """Describe the software in CodeMeta 3.0.

    Returns str. JSON-LD.
    """
    project = tomllib.loads(read_text("pyproject.toml"))["project"]
    citation = cited()
    paper = citation["preferred-citation"]
    said = {
        "@context": "https://w3id.org/codemeta/3.0",
        "type": "SoftwareSourceCode",
        "identifier": "replicability-analysis",
        "name": citation["title"],
        "description": citation["abstract"].strip(),
        "version": project["version"],
        "license": f"https://spdx.org/licenses/{project['license']}",
        "author": [
            {"type": "Organization", "name": name_of(author)} for author in citation["authors"]
        ],
        "keywords": citation["keywords"],
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python']}",
        "softwareRequirements": project["dependencies"],
        "referencePublication": {
            "type": "ScholarlyArticle",
            "id": doi_of(paper),
            "name": paper["title"],
            "author": [
                {
                    "type": "Person",
                    "givenName": author["given-names"],
                    "familyName": author["family-names"],
                }
                for author in paper["authors"]
            ],
        },
    }
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def codecheck():
    """List what a check of the computations has to make anew.

    Returns str. YAML in the form of `CHECKED`; the codechecker adds a name and a report.
    """
    paper = cited()["preferred-citation"]
    said = {
        "version": CHECKED,
        "paper": {
            "title": paper["title"],
            "authors": [{"name": name_of(author)} for author in paper["authors"]],
            "reference": doi_of(paper),
        },
        "manifest": manifest(),
    }
    return yaml.safe_dump(
        said, explicit_start=True, sort_keys=False, allow_unicode=True, width=1000
    )


def manifest():
    """List the tables and figures of all studies whose results are committed.

    Returns list of dict. ``file``, relative to the checkout, and ``comment``, its number and title.
    """
    notebooks = items.read_notebooks()
    return [
        {"file": file, "comment": items.plain(re.sub(LINKED, "", row.title))}
        for study in items.FOLDERS
        for row in items.rows(read_study(f"config/{study}.yaml"), notebooks)
        for file in row.files
    ]


if __name__ == "__main__":
    sys.exit(main())
