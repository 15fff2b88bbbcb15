"""Blocks of pairs: the p-values of a family in parts, on many machines, with the bytes of one.

A block holds the p-values of some pairs of systems on every dataset, both ways. They depend on no
other pair: seeds are those of the datasets. What is bounded by joint flips of all pairs has no
p-values of its own, and is refused.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from replicability.checks import InputError, enumerated
from replicability.io import files, provenance
from replicability.io.text import shown

BOTH = ("better", "worse")
"""Columns with a p-value for each dataset: of the first system, and of the second."""

KEY = b"replicability_block"
"""Key of the metadata of a block."""


@dataclass(frozen=True)
class Asked:
    """The pairs of a family, what tests them, and what their p-values depend on.

    Attributes
    ----------
    pairs : list of (int, int)
        All pairs of systems that are compared.
    tested : callable
        From pairs to p-values of all ordered pairs of systems, shape (s, s, n).
    settings : dict
        Names, test, options and seed, as JSON can hold them.
    scores : list of ndarray
        The scores that are tested.
    """

    pairs: list
    tested: Callable
    settings: dict
    scores: list

    def pvalues(self, blocks=()):
        """Return the p-values of all pairs, computed here or read from blocks.

        `blocks` (sequence of str): files of `write`, all of one family; empty to compute.

        Returns ndarray of float64, shape (s, s, n).

        Raises `InputError`: if a block is missing, there twice, of other scores, settings or
        versions, or no block.
        """
        if not blocks:
            return self.tested(self.pairs)
        read = [_read(Path(file)) for file in blocks]
        first = read[0][1]
        for file, said, _ in read:
            if said["asked"] != self._digest:
                raise InputError(
                    f"{shown(file)} was computed from other scores, settings or package versions; "
                    "compute it again with the arguments of this command and --block."
                )
            if said["of"] != first["of"]:
                raise InputError(
                    f"{shown(file)} is one of {said['of']} blocks, but {shown(read[0][0])} is one "
                    f"of {first['of']}; name files from the same set of blocks."
                )
        numbers = [said["block"] for _, said, _ in read]
        twice = [shown(file) for file, said, _ in read if numbers.count(said["block"]) > 1]
        if twice:
            raise InputError(
                f"{enumerated(twice)} contain the same block; name each block only once."
            )
        missing = [str(k) for k in range(1, first["of"] + 1) if k not in numbers]
        if missing:
            what = f"Block {missing[0]}" if len(missing) == 1 else f"Blocks {enumerated(missing)}"
            raise InputError(
                f"{what} of {first['of']} {'is' if len(missing) == 1 else 'are'} missing; compute "
                f"every missing block with --block, such as --block {missing[0]}/{first['of']}."
            )
        size = 1 + max(map(max, self.pairs))
        found = np.ones((size, size, read[0][2]["better"].shape[1]))
        for file, said, table in read:
            a, b = self.part(said["block"], said["of"]).T
            if not (np.array_equal(table["a"], a) and np.array_equal(table["b"], b)):
                raise InputError(f"{shown(file)} is incomplete; compute it again with --block.")
            found[a, b], found[b, a] = table["better"], table["worse"]
        return found

    def write(self, file, block, of):
        """Compute a block and write it.

        `file`: Parquet file. `block`, `of`: the block, from 1, and how many there are.

        Returns int. Number of its pairs.

        Raises `InputError`: if there are fewer pairs than blocks, or the file cannot be written.
        """
        if of > len(self.pairs):
            raise InputError(
                f"{len(self.pairs)} pairs of systems cannot be divided into {of} blocks; use at "
                f"most {len(self.pairs)} blocks."
            )
        chosen = self.part(block, of)
        found, (a, b) = self.tested(chosen.tolist()), chosen.T
        table = pa.table({"a": a, "b": b, "better": list(found[a, b]), "worse": list(found[b, a])})
        said = {"block": block, "of": of, "asked": self._digest}
        with files.replacing(file) as part:
            pq.write_table(table.replace_schema_metadata({KEY: json.dumps(said)}), part)
        return len(chosen)

    def part(self, block, of):
        """Return the pairs of a block, those of the same systems together; ndarray, shape (m, 2).

        One product of matrices then serves many of them.
        """
        pairs = np.array(self.pairs)
        i, j = pairs.T // ceil((pairs.max() + 1) / sqrt(2 * of))
        ends = len(pairs) * np.array([block - 1, block]) // of
        return pairs[np.lexsort((j, i))[slice(*ends)]]

    @cached_property
    def _digest(self):
        """SHA-256 of the settings, the versions of packages, and the scores."""
        told = {"pairs": len(self.pairs), **self.settings, "versions": provenance.versions()}
        found = hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode())
        for scores in self.scores:
            found.update(f"{scores.dtype}{scores.shape}".encode())
            found.update(np.ascontiguousarray(scores))
        return found.hexdigest()


def _read(file):
    """Return a file, what it says of itself, and its columns."""
    try:
        table = pq.read_table(file)
        said = json.loads(table.schema.metadata[KEY])
    except (OSError, pa.ArrowException, KeyError, TypeError):
        raise InputError(
            f"{shown(file)} is not a block of pairs; name files that were written with --block."
        ) from None
    held = {name: table[name].combine_chunks() for name in table.column_names}
    both = {name: held[name].flatten().to_numpy().reshape(len(table), -1) for name in BOTH}
    return file, said, {"a": held["a"].to_numpy(), "b": held["b"].to_numpy()} | both
