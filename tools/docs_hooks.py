"""Hooks of the documentation site, named in mkdocs.yml.

A link from a page to a file outside docs/ gets a page or a copy of that file, under repository/ in
the site; a notebook becomes a page with its outputs. `../src/phieb/novelty/bonus.py#PhiBonus` leads
to the line on which that symbol is defined. The build fails for a dead link, an unknown symbol, and
a public name that has no docstring or no entry in the reference.
"""

import ast
import importlib
import inspect
import json
import pkgutil
import posixpath
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

ROOT = Path(__file__).parents[1]
FOLDER = "repository"  # where files from outside docs/ are in the site
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(?:#([^)\s]*))?(?=\))")
# The one is the entry point of the program; the other is in the reference, but cannot be imported
# without its extra.
NOT_DOCUMENTED = ("phieb.cli", "phieb.sb3")


def on_files(files: Any, config: Any) -> Any:
    """Add the files that pages link to, and those that the added pages link to."""
    waiting = [
        (f"docs/{file.src_uri}", file.content_string) for file in files.documentation_pages()
    ]
    added = set()
    while waiting:
        page, text = waiting.pop()
        for path, _ in _links(page, text):
            if path in added or path.startswith("docs/"):
                continue
            added.add(path)
            files.append(_in_site(path, page, config))
            if path.endswith((".md", ".ipynb")):
                waiting.append((path, _text(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links to files outside docs/ lead to their pages in the site."""
    source = _source_of(page.file.src_uri)
    start = posixpath.dirname(page.file.src_uri)

    def replaced(match: re.Match[str]) -> str:
        path, anchor = _target(source, match[1]), match[2]
        if anchor and path.endswith(".py"):
            anchor = f"line-{line_of(ROOT / path, anchor)}"
        link = posixpath.relpath(_uri_of(path), start or ".")
        return f"{link}#{anchor}" if anchor else link

    return LINK.sub(replaced, markdown)


def on_post_build(config: Any) -> None:
    """Fail if a public name lacks a docstring, or an entry in the reference."""
    pages = [path.read_text() for path in Path(config.site_dir, "reference").glob("*.html")]
    entries = set(re.findall(r'id="(phieb[\w.]*)"', "\n".join(pages)))
    missing = []
    for module in _public_modules():
        for name in module.__all__:
            found = getattr(module, name)
            # By the name in the package, or, where a module is called the same, by its own.
            own = f"{getattr(found, '__module__', '')}.{name}"
            known = {f"{module.__name__}.{name}", own} & entries
            if not inspect.ismodule(found) and not known:
                missing.append(f"{module.__name__}.{name} is not in docs/reference")
            if not inspect.getdoc(found):
                missing.append(f"{module.__name__}.{name} has no docstring")
    if missing:
        raise PluginError("; ".join(missing))


def line_of(path: Path, symbol: str) -> int:
    """The line on which a module defines `symbol`: a name, or `Class.name`.

    Raises:
        PluginError: it does not define it.
    """
    body, line = ast.parse(path.read_text()).body, 0
    for name in symbol.split("."):
        for statement in body:
            if name in _defined_by(statement):
                line, body = statement.lineno, getattr(statement, "body", [])
                break
        else:
            raise PluginError(f"{path.relative_to(ROOT)} does not define {symbol}")
    return line


def _defined_by(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def _links(page: str, text: str) -> list[tuple[str, str | None]]:
    """The links in the text of a page: path in the repository, and anchor."""
    return [(_target(page, match[1]), match[2]) for match in LINK.finditer(text)]


def _target(page: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def _source_of(uri: str) -> str:
    """The path in the repository of what is at `uri` in the site."""
    return uri.removeprefix(f"{FOLDER}/") if uri.startswith(f"{FOLDER}/") else f"docs/{uri}"


def _uri_of(path: str) -> str:
    """Where a file or folder of the repository is in the site, as a source of MkDocs."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    is_page = path.endswith((".py", ".ipynb")) or (ROOT / path).is_dir()
    return f"{FOLDER}/{path}.md" if is_page else f"{FOLDER}/{path}"


def _in_site(path: str, page: str, config: Any) -> File:
    """A copy of a file; for source code and folders, a page."""
    here, uri = ROOT / path, _uri_of(path)
    if not here.exists():
        raise PluginError(f"{page}: dead link to {path}")
    level = InclusionLevel.NOT_IN_NAV
    if uri == f"{FOLDER}/{path}":
        return File.generated(config, uri, abs_src_path=str(here), inclusion=level)
    if path.endswith(".ipynb"):
        return File.generated(config, uri, content=_text(here), inclusion=level)
    shown = _code(here.read_text()) if here.is_file() else _listing(here)
    return File.generated(config, uri, content=f"# {path}\n\n{shown}\n", inclusion=level)


def _text(path: Path) -> str:
    """The text of a page; of a notebook its cells and what came out of them."""
    if path.suffix != ".ipynb":
        return path.read_text()
    shown = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        code = cell["cell_type"] == "code"
        shown.append(f"```python\n{source}\n```" if code else source)
        shown += [_output(one) for one in cell.get("outputs", ())]
    return "\n\n".join(shown) + "\n"


def _output(output: Any) -> str:
    """What a cell has printed or drawn."""
    if "text" in output:
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    return f"![](data:image/png;base64,{output['data']['image/png'].strip()})"


def _code(text: str) -> str:
    """Source code as HTML, each line with an id."""
    html: str = highlight(text, PythonLexer(), HtmlFormatter(linespans="line", wrapcode=True))
    return html.replace("\n\n", "\n&#8203;\n")  # a blank line would end the block of HTML


def _listing(folder: Path) -> str:
    return "\n".join(f"- `{path.name}`" for path in sorted(folder.iterdir()) if path.is_file())


def _public_modules() -> list[ModuleType]:
    import phieb

    names = ["phieb", *(m.name for m in pkgutil.iter_modules(phieb.__path__, "phieb.") if m.ispkg)]
    modules = [importlib.import_module(name) for name in names if name not in NOT_DOCUMENTED]
    return [module for module in modules if hasattr(module, "__all__")]
