"""The one way XML enters the program: a hardened lxml parser (reliability.md A7)."""

from __future__ import annotations

from lxml import etree

from vassal_bridge.errors import FormatError, LimitReached
from vassal_bridge.limits import MAX_XML_BYTES


def parse_xml(data: bytes, what: str) -> etree._Element:
    """Parse `data` without entities, network, DTD or huge trees.

    Args:
        data: the document, at most `MAX_XML_BYTES` bytes.
        what: name for messages, e.g. ``"bdz: BoardMetadata.xml"``.

    Raises:
        LimitReached: the document is larger than the limit.
        FormatError: not well-formed, or it declares entities.
    """
    if len(data) > MAX_XML_BYTES:
        raise LimitReached(f"XML of {len(data)} bytes, limit {MAX_XML_BYTES}", place=what)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(data, parser)  # noqa: TID251  (this is the hardened place)
    except etree.XMLSyntaxError as error:
        why = " ".join((error.msg or "").split())  # libxml2 breaks some of its lines
        raise FormatError(f"not well-formed XML ({why})", place=what) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise FormatError("XML with a document type is refused", place=what)
    return root
