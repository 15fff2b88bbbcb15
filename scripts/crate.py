"""Lay out an RO-Crate of the committed results: python scripts/crate.py [FOLDER]

The folder is what one deposits in an archive: each notebook, the data that it read, the tables and
figures that it made, and `ro-crate-metadata.json`, which says so run by run as the files in
`tables/*/provenance` do. A notebook that comes from a template is made for it. It follows RO-Crate
1.1 and, for the runs, Process Run Crate 0.5.
"""

import argparse
import json
import mimetypes
import shutil
import subprocess
import sys
from pathlib import Path

import describe
import nbformat

from analysis import assembly, items, paths
from replicability import checks
from replicability.io.provenance import digest
from replicability.io.text import read_text

CRATE = "https://w3id.org/ro/crate/1.1"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
TERMS = "https://w3id.org/ro/terms/workflow-run/context"
"""The specification, the profile for runs, and the context that has the profile's terms."""

METADATA = "ro-crate-metadata.json"
MADE_IN_RUNS = "results/"
"""Folder of outputs that are not committed, and left out."""

GUIDES = ("README.md", "LICENSE", "CITATION.cff", "requirements.lock", "data/README.md")
"""Files that a reader of the crate looks for first."""

KINDS = {
    ".ipynb": "application/x-ipynb+json",
    ".parquet": "application/vnd.apache.parquet",
    ".md": "text/markdown",
    ".yaml": "application/yaml",
    ".cff": "application/yaml",
}
"""Ending -> media type, where the standard library knows none on every machine."""


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=paths.ROOT / "results/crate")
    options = parser.parse_args(arguments)
    try:
        write(options.folder)
    except (checks.InputError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{options.folder}/{METADATA}")
    return 0


def write(folder):
    """Lay out the crate; one that is there is replaced.

    `folder`: where it goes.

    Raises `InputError`: if the folder holds something else, or a file of a record is not there or
    has changed, or a notebook is made in another way than it was.
    """
    if folder.exists() and not (folder / METADATA).is_file():
        raise checks.InputError(f"{folder} exists and is not a crate; choose another folder.")
    runs = records()
    work = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(work, ignore_errors=True)
    made = {run["notebook"]: (name, run) for name, run in runs.items() if "made_from" in run}
    for file in (*GUIDES, *runs, *contents(runs)):
        target = work / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if file not in made:
            shutil.copyfile(paths.ROOT / file, target)
            continue
        name, run = made[file]
        nbformat.write(assembly.notebook(run["parameters"]["study"], target.stem), target)
        if digest(target) != run["sha256"]:
            raise checks.InputError(
                f"{name} records a {file} that differs from what {' and '.join(run['made_from'])} "
                "make now; run `make reproduce` to renew both."
            )
    said = json.dumps(metadata(runs, released(), work), indent=1, ensure_ascii=False)
    (work / METADATA).write_text(f"{said}\n", encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    work.replace(folder)


def records():
    """Read the provenance of all studies whose results are committed.

    Returns dict of str to dict. File -> what it records (`provenance.record`), outputs in
    `MADE_IN_RUNS` left out.

    Raises `InputError`: if an output is not there or is not the one that was recorded.
    """
    found = {}
    for below in items.FOLDERS.values():
        for path in sorted((paths.ROOT / f"tables/{below}provenance").glob("*.json")):
            name = path.relative_to(paths.ROOT).as_posix()
            run = json.loads(read_text(name))
            made = {f: s for f, s in run["outputs"].items() if not f.startswith(MADE_IN_RUNS)}
            for file, said in made.items():
                if not (paths.ROOT / file).is_file() or digest(paths.ROOT / file) != said:
                    raise checks.InputError(
                        f"The content of {file} differs from what {name} records; "
                        "run `make reproduce` to renew both."
                    )
            found[name] = run | {"outputs": made}
    return found


def contents(runs):
    """List notebooks, their sources, data and outputs in alphabetical order."""
    keys = ("made_from", "data", "outputs")
    return sorted(
        {
            file
            for run in runs.values()
            for file in (run["notebook"], *(file for key in keys for file in run.get(key, ())))
        }
    )


def released():
    """Return the date of the last commit or, without git, the year of the licence."""
    call = ["git", "log", "-1", "--format=%cs"]
    found = subprocess.run(call, cwd=paths.ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() or read_text("LICENSE").split("(c) ")[1][:4]


def metadata(runs, date, folder):
    """Describe the crate.

    `runs` (dict of str to dict): as `records` returns them. `date`: when it was published, in ISO
    8601. `folder`: folder of its files.

    Returns dict. JSON-LD: one flat graph.
    """
    software = {program["@id"]: program for run in runs.values() for program in programs(run)}
    graph = [
        descriptor(),
        root(runs, date),
        {"@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
        *(action(name, run) for name, run in runs.items()),
        *(entity(file, runs, folder) for file in (*GUIDES, *runs, *contents(runs))),
        *software.values(),
        *authors(),
        paper(),
        {
            "@id": f"https://spdx.org/licenses/{describe.cited()['license']}",
            "@type": "CreativeWork",
            "name": f"{describe.cited()['license']} licence",
        },
    ]
    return {"@context": [f"{CRATE}/context", TERMS], "@graph": graph}


def refer(names):
    """Refer to entities by their identifiers; to one of them not as a list."""
    found = [{"@id": name} for name in names]
    return found[0] if len(found) == 1 else found


def descriptor():
    """Return the entity of the metadata file itself."""
    return {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": CRATE},
        "about": {"@id": "./"},
    }


def root(runs, date):
    """Return the entity of the crate as a whole."""
    citation = describe.cited()
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": citation["title"],
        "description": citation["abstract"],
        "version": citation["version"],
        "datePublished": date,
        "license": {"@id": f"https://spdx.org/licenses/{citation['license']}"},
        "author": refer(author["@id"] for author in authors()),
        "keywords": ", ".join(citation["keywords"]),
        "citation": {"@id": paper()["@id"]},
        "conformsTo": {"@id": PROFILE},
        "hasPart": refer([*GUIDES, *runs, *contents(runs)]),
        "mentions": refer(f"#{name}" for name in runs),
    }


def action(name, run):
    """Return the entity of a run: what read which files and made which others."""
    return {
        "@id": f"#{name}",
        "@type": "CreateAction",
        "name": f"{run['notebook']} on {run['parameters'].get('study', 'its own settings')}",
        "instrument": {"@id": run["notebook"]},
        "object": refer(run["data"]),
        "result": refer(run["outputs"]),
        "subjectOf": {"@id": name},
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "agent": refer(author["@id"] for author in authors()),
        "description": f"Parameters: {json.dumps(run['parameters'], ensure_ascii=False)}",
    }


def programs(run):
    """Return the entities of the software that a run used."""
    return [
        {
            "@id": f"#{name}-{version}",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
        }
        for name, version in run["versions"].items()
    ]


def entity(file, runs, folder):
    """Return the entity of a file, a notebook with its sources and the software it ran on."""
    path = folder / file
    said = {
        "@id": file,
        "@type": "File",
        "name": file,
        "contentSize": str(path.stat().st_size),
        "sha256": digest(path),
        "encodingFormat": KINDS.get(path.suffix) or mimetypes.guess_type(file)[0] or "text/plain",
    }
    using = [run for run in runs.values() if run["notebook"] == file]
    if using:
        needed = dict.fromkeys(p["@id"] for run in using for p in programs(run))
        said |= {
            "@type": ["File", "SoftwareSourceCode"],
            "version": describe.cited()["version"],
            "softwareRequirements": refer(needed),
        }
        if "made_from" in using[0]:
            said["isBasedOn"] = refer(using[0]["made_from"])
    return said


def authors():
    """Return the entities of the authors of the software."""
    names = [describe.name_of(author) for author in describe.cited()["authors"]]
    return [
        {"@id": f"#author-{i}", "@type": "Organization", "name": n} for i, n in enumerate(names)
    ]


def paper():
    """Return the entity of the paper that is run again."""
    work = describe.cited()["preferred-citation"]
    return {"@id": describe.doi_of(work), "@type": "ScholarlyArticle", "name": work["title"]}


if __name__ == "__main__":
    sys.exit(main())
