"""A math renderer for Sphinx: LaTeX becomes MathML while the pages are built.

Browsers draw MathML themselves, so that pages need no script and no network to show a formula.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging

__all__ = ["setup", "to_mathml"]

logger = logging.getLogger(__name__)

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_WITH_LIMITS = {"∑", "∏", "min", "max", "minimise", "maximise"}  # scripts go below and above
_LIMITS = {"msub": "munder", "msubsup": "munderover"}
_BARS = {"|", "\u2016", "\u2225"}  # of absolute values and norms
_PRIMES = {"\u2032", "\u2033"}  # one and two of them


def to_mathml(latex: str, *, block: bool) -> str:
    """A formula as MathML; ValueError where a command is not known to the converter."""
    source = latex.strip().replace("{aligned}", "{align*}")
    # The converter leaves an ampersand that it could not use as it is, which is no XML.
    markup = convert(source, display="block" if block else "inline").replace(">&<", ">&amp;<")
    root = ET.fromstring(markup)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_NAMESPACE}}}")
        _mend(element, block)
    root.set("xmlns", _NAMESPACE)
    return ET.tostring(root, encoding="unicode")


def _mend(element: ET.Element, block: bool) -> None:
    """What the converter leaves to attributes that browsers do not read any more."""
    text = (element.text or "").strip()
    if element.tag != "mtext" and (text.startswith("\\") or text == "&"):
        raise ValueError(f"{text!r} is not known to latex2mathml")
    alignment = element.attrib.pop("columnalign", None)
    if element.tag == "mtd" and alignment:
        both = f"text-align: {alignment}; text-align: -webkit-{alignment}"  # the latter moves boxes
        element.set("style", f"{both}; padding: 0.25em 0.15em")
    if block and element.tag in _LIMITS and (element[0].text or "") in _WITH_LIMITS:
        element.tag = _LIMITS[element.tag]
    if element.tag == "mo" and text.isalpha() and text.isascii() and text not in _WITH_LIMITS:
        element.tag = "mi"  # Tr and the like: no room before a bracket
    if text in {"⟨", "⟩"} and element.tag == "mi":
        element.tag = "mo"
    if text in _BARS and element.tag == "mo":  # a norm, not a relation: no room around it
        element.attrib.update(lspace="0", rspace="0", stretchy="false")
    if element.tag == "msup" and (element[1].text or "") in _PRIMES:
        element.tag = "mrow"  # the sign is raised and small by itself
        element[1].tag = "mo"
        element[1].attrib.update(lspace="0", rspace="0")


def _rendered(node: nodes.Element, *, block: bool) -> str:
    try:
        return to_mathml(node.astext(), block=block)
    except Exception as error:
        logger.warning("formula cannot be drawn: %s", error, location=node)
        return f"<code>{node.astext()}</code>"


def _visit_inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(_rendered(node, block=False))
    raise nodes.SkipNode


def _visit_block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math-block"))
    translator.body.append(_rendered(node, block=True))
    if node.get("number"):
        translator.body.append(f'<span class="eqno">({node["number"]})</span>')
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer; ``html_math_renderer = "mathml"`` chooses it."""
    app.add_html_math_renderer("mathml", (_visit_inline, None), (_visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
