"""Text made harmless: what a spreadsheet, Markdown or LaTeX would take for code or markup."""

import re

_NUMBER = re.compile(r"[-+−]?(\d[\d,]*(\.\d*)?|\.\d+)(e[-+]?\d+)?%?", re.IGNORECASE)


def formula(text):
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    `text`: a cell.

    Returns str. As it is unless it starts as a formula does; with line feeds for carriage returns,
    which the writer of CSV would not quote alone.
    """
    text = re.sub("\r\n?", "\n", text)
    words = [word.strip("(),") for word in text.split(" ")]
    harmless = (
        not re.match(r"\s*[=+@＝＋－＠-]|[\t\n]", text)
        or not re.search(r"\w", text)
        or (_NUMBER.match(text) and all(w in ("to", "±") or _NUMBER.fullmatch(w) for w in words))
    )
    return text if harmless else f"'{text}"


def one_line(text):
    """Put blanks for line breaks and tabs."""
    return re.sub(r"[\r\n\t]+", " ", text)


def markdown(text):
    """Put a backslash before what Markdown would take for markup."""
    text = re.sub(
        r"([\\`|\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_]))",
        r"\\\1",
        one_line(text),
    )
    for mark in "*~$":  # one alone marks nothing
        if text.count(mark) > 1:
            text = text.replace(mark, f"\\{mark}")
    return text


_LATEX_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "→": r"\ensuremath{\rightarrow}",
        "±": r"\ensuremath{\pm}",
        "≤": r"\ensuremath{\le}",
        "ρ": r"\ensuremath{\rho}",
        "α": r"\ensuremath{\alpha}",
        "†": r"\textdagger{}",
        "‡": r"\textdaggerdbl{}",
        "−": "--",
    }
)


def latex(text):
    """Write what LaTeX would take for markup, and what its fonts lack, by its commands."""
    return one_line(text).translate(_LATEX_SPECIAL).replace("k̂", r"\ensuremath{\hat k}")


def latex_first(text):
    r"""Write the first cell of a row: after the \\ before it, [ or * would be its argument."""
    return re.sub(r"^(?=[\[*])", "{}", latex(text))
