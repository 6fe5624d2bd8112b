"""Settings of the documentation, built by ``python -m sphinx -W -b html docs docs/_build/html``.

Nothing is fetched, neither while the pages are built nor while they are read.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

# Before matplotlib is imported: no window.
os.environ.setdefault("MPLBACKEND", "agg")

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import hsiclearn  # noqa: E402

project = "hsic-learn"
author = "The hsic-learn contributors"
copyright = author
version = release = hsiclearn.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "reference_check",
    "command_output",
]
exclude_patterns = ["_build", "**/sg_execution_times.rst", "sg_execution_times.rst"]
templates_path = ["_templates"]

# Pages ----------------------------------------------------------------------------------------
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
highlight_language = "none"  # blocks that do not name a language are formulas or output
html_math_renderer = "mathml"
# Tables that commands write begin with a heading of the third level: they are parts of a page.
suppress_warnings = ["myst.header", "config.cache"]

# Reference ------------------------------------------------------------------------------------
autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say what a parameter may be, in words
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False
add_module_names = False
reference_modules = [
    "hsiclearn",
    "hsiclearn.kernels",
    "hsiclearn.gamma",
    "hsiclearn.datasets",
    "hsiclearn.inspection",
    "hsiclearn.plotting",
    "hsiclearn.exceptions",
]

# Gallery --------------------------------------------------------------------------------------
sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["auto_examples"],
    "filename_pattern": r"plot_",
    "within_subsection_order": "gallery_order.ByQuestion",
    "backreferences_dir": "api/generated/backreferences",
    "doc_module": ("hsiclearn",),
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,  # times differ from build to build
    "write_computation_times": False,
    "download_all_examples": False,
    "image_srcset": ["2x"],
    "thumbnail_size": (480, 300),
    "abort_on_example_error": True,
    "capture_repr": (),  # it would print addresses of objects
}

# Looks ----------------------------------------------------------------------------------------
html_theme = "pydata_sphinx_theme"
html_title = "hsic-learn"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_last_updated_fmt = None
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
}


def _skip_foreign(app, what, name, obj, skip, options):
    """Leave out what classes inherit from other packages: their documents describe it."""
    function = getattr(obj, "fget", None) or getattr(obj, "__func__", obj)
    module = getattr(function, "__module__", None)
    foreign = callable(function) and not str(module or "").startswith("hsiclearn")
    return True if foreign else None


def _escape_shapes(app, what, name, obj, options, lines):
    """``shape (n_features_out_,)``: a trailing underscore would make a link of a name."""
    for i, line in enumerate(lines):
        if "of shape (" in line:
            lines[i] = re.sub(r"(?<=\w)_(?=[,)])", r"\\_", line)


_TITLES = {
    "paper/complexity": "Complexity, measured",
    "paper/starts": "Starts, measured",
    "paper/tables": "The paper's tables, measured",
    "quality/angles": "Quality: angles to the truth",
    "quality/cost": "Quality: what the choice costs",
    "quality/design": "Quality: 25 tables together",
    "quality/dimension": "Quality: the number of directions",
    "quality/fresh": "Quality: 28 fresh tables",
    "quality/further": "Quality: 12 further tables",
    "quality/sets": "Quality: 13 tables",
    "quality/sparse": "Quality: columns found",
    "scale/angles": "Scale: angles to the exact answer",
    "scale/cluster": "Scale: on a cluster of machines",
    "scale/clusters": "Scale: clusters",
    "scale/memory": "Scale: memory",
    "scale/rivals": "Scale: rivals",
    "scale/rows": "Scale: rows",
    "scale/wide": "Scale: many columns",
}
_WITH_PARTS = {name.split("/")[0] for name in _TITLES}


def _complete(app, docname, source):
    """Add what a site needs and a repository does not.

    Pages that commands write are tables without a title, and the pages above them have no toctree.
    """
    if docname in _TITLES:
        source[0] = f"# {_TITLES[docname]}\n\n{source[0]}"
    if docname in _WITH_PARTS:
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n:glob:\n\n{docname}/*\n```\n"


def setup(app):
    """Connect the rules above; shapes before numpydoc, which has the priority 500."""
    app.connect("autodoc-skip-member", _skip_foreign)
    app.connect("autodoc-process-docstring", _escape_shapes, priority=400)
    app.connect("source-read", _complete)
