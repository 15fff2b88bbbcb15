"""Numbers in prose: a comment behind each says which cell of which table it is.

In ``Django has 231<!-- sizes["django/django"] --> issues`` the comment is a field. Readers do not
see it, and the text in front of it can be rewritten at will. `filled` computes every field and
writes its value in the style of the number that is there: digits, decimals, per cent or a word.

A field is an expression of the language of remarks (`analysis.remarks`). It may name the functions
of `analysis.numbers.committed` and what the document's own module in `analysis.numbers` defines.
If it is a `Word` of `analysis.verdicts`, what is said has to fit. If it is true, the word or number
stays; if it is false, the sentence no longer holds, and that is an error. The field ``given`` marks
a setting or a number of somebody else.
"""

import functools
import importlib
import importlib.util
import json
import re
from fractions import Fraction

import numpy as np

from analysis import paths, remarks, verdicts
from analysis.fields import FIELD
from analysis.numbers import committed
from replicability import checks
from replicability.io.text import read_text

DOCUMENTS = (
    *("README.md", "config/README.md", "data/README.md", "data/outcomes/README.md"),
    *("docs/*.md", "notebooks/*.ipynb", "config/items.yaml"),
    *("config/open/*.md", "config/paper/*.md", "config/leaderboards/*.md"),
)
"""Patterns of the files whose numbers are fields."""

GIVEN = "given"
"""The field of a number that is not computed."""

UNITS = re.split(
    r"\s+",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty",
)
TENS = re.split(r"\s+", "thirty forty fifty sixty seventy eighty ninety")
COUNTS = (
    {word: Fraction(n) for n, word in enumerate(UNITS, start=1)}
    | {word: Fraction(n) for n, word in zip(range(30, 100, 10), TENS, strict=True)}
    | {"hundred": Fraction(100), "thousand": Fraction(1000), "million": Fraction(10**6)}
)
PARTS = {
    **{"twice": Fraction(2), "half": Fraction(1, 2), "halves": Fraction(1, 2)},
    **{"quarter": Fraction(1, 4), "quarters": Fraction(1, 4), "thirds": Fraction(1, 3)},
    **{"tenth": Fraction(1, 10), "tenths": Fraction(1, 10)},
    **{"hundredth": Fraction(1, 100), "hundredths": Fraction(1, 100)},
}
WORDS = COUNTS | PARTS
"""Word -> what it says; "third" is left out, since it mostly is an ordinal."""

NUMBER = re.compile(
    r"(?<![\w.,/-])(?:\d+/\d[\d,]*\b|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:\\?%)?(?!\w)"
    rf"|(?<![\w-])(?:{'|'.join(WORDS)})(?![\w-])",
    re.IGNORECASE,
)
"""A number in digits, such as 5,000, .05, 3.9% or 5/6, or a word of `WORDS`."""


_WORDS = "|".join(sorted({*verdicts.WORDS} - {"one"})).replace(" ", r"\s+")
JUDGED = re.compile(rf"(?<![\w-])(?:{_WORDS})\W*$", re.IGNORECASE)
"""A word of judgement, which needs a rule that names the words that fit."""


def documents():
    """List the files whose numbers are fields, relative to the checkout."""
    found = {path for pattern in DOCUMENTS for path in paths.ROOT.glob(pattern)}
    return sorted(path.relative_to(paths.ROOT).as_posix() for path in found)


def document(file, write=None):
    """Read a document and compute its numbers.

    `file`: a file in Markdown or a notebook, relative to the checkout. `write`: text in Markdown ->
    text, in place of `filled`; `plain` leaves the fields out.

    Returns str. The whole file with its fields, each behind its present value.

    Raises `InputError`: if a field cannot be computed, or a judgement no longer holds.
    """
    text, write = read_text(paths.ROOT / file), write or functools.partial(filled, file=file)
    if not file.endswith(".ipynb"):
        return write(text)
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = write("".join(cell["source"])).splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def filled(text, file):
    """Compute the fields of a text.

    `file`: the document it belongs to, whose names the fields use.

    Returns str. The text with the present values.

    Raises `InputError`: as `document` does; it names the file, what is said and the field.
    """

    def computed(found):
        said, field = found["said"], found["field"]
        if field == GIVEN:
            return found[0]
        try:
            return f"{renewed(said, remarks.value(field, names_of(file)))}<!-- {field} -->"
        except Exception as error:  # whatever an expression may raise
            place = f"{file}, {said!r} with the field {field!r}"
            raise checks.InputError(f"{place}: {str(error) or type(error).__name__}") from None

    return FIELD.sub(computed, text)


@functools.cache
def names_of(file):
    """Return what the fields of a document may name: name -> value or function."""
    name = "analysis.numbers." + re.sub(r"\W", "_", file.rpartition(".")[0]).lower()
    if importlib.util.find_spec(name) is None:
        return committed.READERS
    return committed.READERS | importlib.import_module(name).numbers()


def renewed(said, value):
    """Write a value in place of the last number of what is said, in its style.

    `said`: such as "16", "(99.4%", "Seven" or "$k = 3$"; any word if the value is true or false.
    `value` (number, str, bool or Word): the value; of a str the number that it begins with.

    Returns str. What is said, if it agrees with the value to the digits that it has, or if the
    value is true; otherwise with the value in place of its number.

    Raises `InputError`: if the value is false or none, or true behind a word of judgement, nothing
    is said in numbers, or a number such as "half" must be reworded.
    """
    if isinstance(value, verdicts.Word):
        return value.in_place_of(said)
    if value is None or isinstance(value, bool | np.bool):
        if not value:
            raise checks.InputError("this no longer holds; reword the sentence and its field.")
        if JUDGED.search(said):
            raise checks.InputError(
                "true does not check a word of judgement; use share(), times() or word()."
            )
        return said
    places = list(NUMBER.finditer(said))
    if not places:
        raise checks.InputError("there is no number in front of the field; write one.")
    number, value = places[-1], float(value)
    if agrees(number[0], value):
        return said
    return said[: number.start()] + written(number[0], value) + said[number.end() :]


def agrees(number, value):
    """Say whether a number in prose is a value, to the digits that it has."""
    stated, half = _stated(number)
    return abs(value - float(stated)) <= float(half) + 1e-12


def _stated(number):
    """Return what a number in prose says, and half the unit to which it says it."""
    if number.lower() in WORDS:
        stated = WORDS[number.lower()]
        return stated, Fraction(1, 2) if stated >= 1 else 0
    unit = Fraction(1, 100) if number.endswith("%") else Fraction(1)
    digits = number.rstrip("%\\").replace(",", "")
    decimals = len(digits.partition(".")[2])
    return Fraction(digits) * unit, 0 if "/" in digits else unit / 10**decimals / 2


def written(number, value):
    """Write a value in the style of another number."""
    if number.lower() in PARTS or "/" in number:
        raise checks.InputError(f"the value is {value:.4g} now; reword {number!r}.")
    if number.lower() in WORDS:
        words = {int(n): word for word, n in COUNTS.items()}
        said = words.get(int(value), f"{value:,.0f}") if value == int(value) else f"{value:.3g}"
        return said.capitalize() if number[0].isupper() else said
    digits, sign = re.fullmatch(r"([\d,.]+)(\\?%)?", number).groups(default="")
    decimals = len(digits.partition(".")[2])
    comma = "" if re.match(r"\d{4}", digits) else ","
    said = f"{value * (100 if sign else 1):{comma}.{decimals}f}"
    return (said.removeprefix("0") if digits.startswith(".") else said) + sign
