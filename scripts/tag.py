"""Train a part-of-speech tagger on one file and tag the words of another.

    python scripts/tag.py --tagger NAME --train FILE --test FILE --seed N [--passes N]
                          --output FILE

All files are CoNLL-U, or have two columns (word, tab, tag) with a blank line after each sentence;
of the test file the words alone are read. The output has two columns and the sentences of the test
file in its order.
"""

import argparse
import inspect
import sys
from pathlib import Path

import conll
import taggers
from tqdm import tqdm

from analysis import command
from replicability import checks
from replicability.io import files


@command.status
def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tagger", required=True, help=", ".join(taggers.TAGGERS))
    parser.add_argument("--train", type=Path, required=True, help="training sentences")
    parser.add_argument("--test", type=Path, required=True, help="sentences to tag")
    parser.add_argument("--seed", type=int, required=True, help="seed of the training")
    parser.add_argument("--passes", type=int, help="passes over the training sentences")
    parser.add_argument("--output", type=Path, required=True, help="two-column file to write")
    options = parser.parse_args(arguments)
    text = run(options.tagger, options.train, options.test, options.seed, options.passes)
    with files.replacing(options.output) as part:
        part.write_text(text, encoding="utf-8")


def run(name, train, test, seed, passes=None):
    """Train a tagger and tag.

    `name`: one of `taggers.TAGGERS`. `train`, `test`: files that `conll.read` reads; the tags of
    the test file are not used. `seed`: seed of the training. `passes`: passes over the training
    sentences; if it is left out, the number that the tagger has.

    Returns str. The words of the test file with the tags that were given, in two columns.

    Raises `InputError`: if the tagger is unknown or takes no passes, a number is out of range, or a
    file malformed.
    """
    tagger = taggers.TAGGERS[checks.choice("--tagger", name, taggers.TAGGERS)]
    checks.at_least("--seed", seed, 0)
    settings = {} if passes is None else {"passes": checks.at_least("--passes", passes)}
    if not settings.keys() <= inspect.signature(tagger.train).parameters.keys():
        raise checks.InputError(f"The tagger {name} does not train in passes; leave out --passes.")
    training = list(taggers.tagged_sentences(train).values())
    words = [sentence.words for sentence in conll.read(test, tagged=False)]
    model = tagger.train(training, seed, **settings)
    bar = tqdm(words, desc=name, unit=" sentences", disable=None, leave=False)
    lines = []
    for sentence, tags in zip(words, tagger.tag(model, bar), strict=True):
        lines += [*map("\t".join, zip(sentence, tags, strict=True)), ""]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
