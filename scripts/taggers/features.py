"""Words described by their spelling and their neighbours."""

import functools

AFFIX = 4
"""Longest prefix and suffix, in characters, that is a feature of a word."""


def word_features(words):
    """Describe each word of a sentence by its spelling and its neighbours.

    `words` (sequence of str): the sentence.

    Returns list of list of str. Features of each word.

    Notes
    -----
    The templates are those of Ratnaparkhi (1996, Table 1): the word, two words on either side,
    prefixes and suffixes of up to four characters, and whether there is a digit, an upper-case
    letter or a hyphen, here for frequent words too. The word in lower case, title case, all
    capitals, and the pairs with the next words are added.

    Examples
    --------
    >>> word_features(["Ja", "2"])[1][:4]
    ['bias', 'word=2', 'lower=2', 'prefix1=2']
    """
    context = ["<s>", "<s>", *words, "</s>", "</s>"]
    return [
        [
            "bias",
            *_spelling(word),
            f"word-2={context[place]}",
            f"word-1={context[place + 1]}",
            f"word+1={context[place + 3]}",
            f"word+2={context[place + 4]}",
            f"word-1,word={context[place + 1]}\t{word}",
            f"word,word+1={word}\t{context[place + 3]}",
        ]
        for place, word in enumerate(words)
    ]


@functools.lru_cache(maxsize=2**17)
def _spelling(word):
    sizes = range(1, min(AFFIX, len(word)) + 1)
    shape = {
        "digit": any(letter.isdigit() for letter in word),
        "upper": any(letter.isupper() for letter in word),
        "hyphen": "-" in word,
        "title": word.istitle(),
        "capitals": word.isupper(),
    }
    return (
        f"word={word}",
        f"lower={word.lower()}",
        *(f"prefix{size}={word[:size]}" for size in sizes),
        *(f"suffix{size}={word[-size:]}" for size in sizes),
        *(name for name, holds in shape.items() if holds),
    )
