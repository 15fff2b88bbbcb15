"""How a number is written where people read it."""


def rounded(value, decimals, plus="", minus="-"):
    """Write a number with so many decimals; what is rounded to zero has no sign.

    Parameters
    ----------
    value : float
        It may be infinite or NaN.
    decimals : int
        At least 0.
    plus, minus : str
        What stands before a number above zero and below it.

    Returns
    -------
    str
        Such as "0.25", "−0.25" or "0.00".

    Examples
    --------
    >>> [rounded(x, 2, plus="+") for x in (0.25, -0.25, -0.004)]
    ['+0.25', '-0.25', '0.00']
    """
    size = f"{abs(value):.{decimals}f}"
    if not float(size):
        return size
    return f"{minus if value < 0 else plus if value > 0 else ''}{size}"
