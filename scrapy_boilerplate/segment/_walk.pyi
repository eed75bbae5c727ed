from collections.abc import Collection

from lxml import etree

from ..page import Page

def walk(root: etree._Element, page: Page, image_alt: bool, skip: Collection[etree._Element] = ()) -> bool: ...
