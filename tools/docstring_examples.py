"""Griffe extension: a section "Example:" of a docstring is what Griffe knows as "Examples:"."""

import re
from typing import Any

import griffe


class DocstringExamples(griffe.Extension):
    """Renames the section, so that it is shown as code."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object that has just been read."""
        if obj.docstring:
            text = obj.docstring.value
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", text, flags=re.MULTILINE)
