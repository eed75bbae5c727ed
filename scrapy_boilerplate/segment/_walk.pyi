from lxml import etree

from ..page import Page

def walk(root: etree._Element, page: Page, image_alt: bool) -> bool: ...
