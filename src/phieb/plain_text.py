"""Escapes text from files before it is printed or written to a spreadsheet.

Names of folders, versions and settings may come from others. A terminal obeys control characters,
which can move the cursor or hide a line; a spreadsheet runs a cell that begins with `=`.
"""

import codecs
import re

# Control characters (C0, DEL, C1), marks that change the direction of text, line separators, and
# lone surrogates, which stand for bytes of a file name that are not UTF-8.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_FORMULA = re.compile(r"[=+\-@\t]")
_QUOTED = re.compile(r"'+[=+\-@\t]")

# Replacements of our own symbols in encodings that lack them; other characters are escaped.
_SPELLED = {"φ": "phi", "ε": "epsilon", "β": "beta", "λ": "lambda", "γ": "gamma", "α": "alpha"}
_SPELLED |= {"κ": "kappa", "ρ": "rho", "–": "-", "…": "...", "√": "sqrt", "×": "x", "≥": ">="}
_SPELLED |= dict(zip("▁▂▃▄▅▆▇█", "_..--==#", strict=True))

SPELL = "phieb.spell"  # name of the error handler for `open` and `reconfigure`


def visible(text: str, keep: str = "") -> str:
    r"""The text, with control characters and other invisible ones escaped.

    Args:
        text: any text.
        keep: characters that are not escaped.

    Example:
        >>> print(visible("a\x1b[2Jb\n"))
        a\x1b[2Jb\n
    """
    return _HIDDEN.sub(lambda found: found[0] if found[0] in keep else _escape(found[0]), text)


def cell(value: object) -> object:
    """A value for a CSV file; text that looks like a formula is prefixed with a quote.

    Example:
        >>> cell("=1+2"), cell("-1.5"), cell(-1.5), cell("venture")
        ("'=1+2", '-1.5', -1.5, 'venture')
    """
    if not isinstance(value, str):
        return value
    text = visible(value, keep="\n\t")  # a lone \\r would end the row
    harmless = _is_number(text) or not (_FORMULA.match(text) or _QUOTED.match(text))
    return text if harmless else f"'{text}"


def from_cell(text: str) -> str:
    """The inverse of `cell`, except for control characters.

    Example:
        >>> from_cell("'=1+2"), from_cell("-1.5")
        ('=1+2', '-1.5')
    """
    quoted = text.startswith("'") and (_FORMULA.match(text[1:]) or _QUOTED.match(text[1:]))
    return text[1:] if quoted else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()


def _escape(sign: str) -> str:
    if "\udc80" <= sign <= "\udcff":  # a byte of a file name
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return sign.encode("unicode_escape").decode("ascii")


def _spell(error: UnicodeError) -> tuple[str, int]:
    """The error handler: replace or escape characters that the encoding lacks."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_SPELLED.get(sign) or _escape(sign) for sign in lacking), error.end


codecs.register_error(SPELL, _spell)
