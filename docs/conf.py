"""How the site is built: ``sphinx-build -W -b html docs OUT``.

The pages are those of the repository. What only the site has (sources side by side, formulas, links from names to
their pages) is added by the extensions in ``_ext``. No framework is imported, and no page asks for anything outside.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE / "_ext"), str(_HERE.parent)]  # the extensions; `porting` of this checkout

from porting import __version__  # noqa: E402 - found by the line above

project = "gradport"
author = "the gradport authors"
copyright = author  # noqa: A001 - Sphinx wants this name
version = release = __version__
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "repository",
    "names",
    "directions",
    "op_survival",
    "op_pages",
    "cause_pages",
    "matrix",
]
source_suffix = {".md": "markdown", ".myst": "markdown"}  # .myst: written by cause_pages, not kept in the repository
exclude_patterns = ["_ext"]
nitpicky = True
# Types of other packages in signatures; the words of a docstring's type, as in "mapping of str to float".
nitpick_ignore_regex = [
    ("py:.*", r"(collections|concurrent|numpy|pathlib|pytest|types|typing|torch|tensorflow)\..*"),
    ("py:(class|exc)", r"[^.]*|.*[^\w.].*"),
]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings name the types
default_role = "code"  # of docstrings, which write `x` for code
napoleon_use_ivar = True
napoleon_use_param = False  # several parameters with one text stay together
smartquotes_action = "D"  # dashes only: quotes stay as they are written
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "gradport"
html_static_path = ["_static"]
html_favicon = "_static/icon.svg"
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
