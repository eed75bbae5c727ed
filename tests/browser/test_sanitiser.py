"""The sanitised markup in a real browser without policy and sandbox: nothing is loaded that it could stop."""

from __future__ import annotations

import random
from html import escape

import pytest

from scrapy_boilerplate.options import Options
from scrapy_boilerplate.review.safe_css import safe_css
from scrapy_boilerplate.review.safe_markup import POLICY
from scrapy_boilerplate.review.view import view_data

from ..pages import hostile_page
from .conftest import Tab

# Ways to load something with a style sheet; those that browsers follow as they stand, and others that become such when
# escapes are resolved carelessly, or when something is taken out of their middle.
SHEETS = {
    "import": '@import "{url}";',
    "import-url": "@IMPORT url({url}) screen;",
    "import-escaped": '@\\69 mport "{url}";',
    "import-after-comment": '/* */@import/**/"{url}";',
    "url": "{p} {{ background: url({url}) }}",
    "url-quoted": "{p} {{ background: URL( '{url}' ) }}",
    "url-escaped": "{p} {{ background: u\\72 l({url}) }}",
    "url-escaped-long": "{p} {{ background: \\000075\\000072\\00006c({url}) }}",
    "url-escaped-letter": "{p} {{ background: ur\\l({url}) }}",
    "url-after-string": "{p} {{ content: '\\'; background: url(' }} {p} {{ background: url({url}) }}",
    "image-set": '{p} {{ background: image-set("{url}" 1x) }}',
    "image-set-escaped": '{p} {{ background: image\\-set("{url}" 1x) }}',
    "webkit-image-set": "{p} {{ background: -webkit-image-set(url({url}) 1x) }}",
    "cursor": "body {{ cursor: url({url}), auto }}",
    "mask": "{p} {{ mask: url({url}#m) }}",
    "mask-image": "{p} {{ -webkit-mask-image: image-set('{url}' 1x) }}",
    "filter": "{p} {{ filter: url({url}#f) }}",
    "clip-path": "{p} {{ clip-path: url({url}#c) }}",
    "shape-outside": "{p} {{ float: left; shape-outside: url({url}) }}",
    "border-image": "{p} {{ border: 9px solid; border-image: url({url}) 9 }}",
    "list-style": "{p} {{ display: list-item; list-style: url({url}) }}",
    "content": "{p}::before {{ content: url({url}) }}",
    "cross-fade": "{p} {{ background: -webkit-cross-fade(url({url}), url({url}), 50%) }}",
    "font": "@font-face {{ font-family: f; src: url({url}) }} {p} {{ font-family: f }}",
    "variable": "html {{ --x: url({url}) }} {p} {{ background: var(--x) }}",
    "variable-in-set": "html {{ --y: '{url}' }} {p} {{ background: image-set(var(--y) 1x) }}",
    "nested": "@media all {{ @supports (color: red) {{ div {{ & {p} {{ background: url({url}) }} }} }} }}",
    "src": "{p} {{ background: src('{url}') }}",
    "image": "{p} {{ background: image('{url}') }}",
    "import-escaped-twice": '@\\\\69mport "{url}";',
    "url-escaped-twice": "{p} {{ background: ur\\\\6c({url}) }}",
    "url-escaped-thrice": "{p} {{ background: ur\\\\\\6c({url}) }}",
    "url-escaped-backslash": "{p} {{ background: ur\\5c 6c({url}) }}",
    "url-with-comment": "{p} {{ background: u/**/rl({url}) }}",
    "import-around-font": '@imp@font-face{{}}ort "{url}";',
    "import-around-import": '@im@import "x";port "{url}";',
    "import-over-lines": '@im\\\nport "{url}";',
    "url-around-url": "{p} {{ background: ururl()l({url}) }}",
}

MARKUP = {
    "img": '<img src="{}">',
    "img-srcset": '<img srcset="{} 1x">',
    "picture": '<picture><source srcset="{}"><img alt="x"></picture>',
    "input-image": '<input type="image" src="{}">',
    "video-poster": '<video poster="{}"></video>',
    "audio": '<audio src="{}" autoplay></audio>',
    "iframe": '<iframe src="{}"></iframe>',
    "iframe-srcdoc": "<iframe srcdoc=\"<img src='{}'>\"></iframe>",
    "object": '<object data="{}"></object>',
    "embed": '<embed src="{}">',
    "script": '<script src="{}"></script>',
    "stylesheet": '<link rel="stylesheet" href="{}">',
    "preload": '<link rel="preload" as="image" href="{}">',
    "modulepreload": '<link rel="modulepreload" href="{}">',
    "prefetch": '<link rel="prefetch" href="{}">',
    "icon": '<link rel="icon" href="{}">',
    "table-background": '<table background="{}"><tr><td>cell</table>',
    "style-attribute": '<p style="background: url({})">text</p>',
    "style-attribute-escaped": '<p style="background: u\\72 l({})">text</p>',
    "style-attribute-entity": '<p style="background: &#117;rl({})">text</p>',
    "style-in-svg": "<svg><style>p {{ background: url({}) }}</style></svg>",
    "svg-image": '<svg><image href="{}" width="9" height="9"/></svg>',
    "svg-image-old": '<svg><image xlink:href="{}" width="9" height="9"/></svg>',
    "svg-use": '<svg><use href="{}#x"/></svg>',
    "svg-filter": '<svg><filter id="a"><feImage href="{}"/></filter><rect filter="url(#a)" width="9"/></svg>',
    "svg-fill": '<svg><rect width="9" height="9" fill="url({}#x)"/></svg>',
    "svg-fill-escaped": '<svg><rect width="9" height="9" fill="u\\72 l({}#x)"/></svg>',
    "svg-fill-escaped-twice": '<svg><rect width="9" height="9" fill="ur\\\\6c({}#x)"/></svg>',
    "svg-style": '<svg><rect width="9" height="9" style="mask: u\\72 l({}#x)"/></svg>',
    "fencedframe": '<fencedframe src="{}"></fencedframe><portal src="{}"></portal>',
    "close-style": "<style></style><img src='{}'></style>",
    "close-style-escaped": "<style>\\3c/style>\\3cimg src='{}'></style>",
    "title": "<title></title><img src='{}'></title>",
    "noscript": "<noscript><p title=\"</noscript><img src='{}'>\"></noscript>",
    "math": "<math><mtext><table><mglyph><style><img src='{}'></style></mglyph></table></mtext></math>",
    "textarea": "<textarea><p title=\"</textarea><img src='{}'>\"></textarea>",
    "comment": "<!--><img src='{}'>-->",
}


def attacks(evil: str) -> str:
    """A page of all of them, each with an address that tells its name."""
    sheets = (
        f"<style>{css.format(url=f'{evil}/{name}', p=f'#{name}')}</style><p id={name}>Some text"
        for name, css in SHEETS.items()
    )
    markup = (text.format(*[f"{evil}/{name}"] * 2) for name, text in MARKUP.items())
    return f"<div>{''.join(sheets)}</div>{''.join(markup)}"


def without_policy(page: str, url: str) -> str:
    """The markup that the frame shows, as a document that may do whatever it says."""
    html = view_data(page, "page", Options(model="numwords"), url=url, others=False)["html"]
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
    assert html.count(policy) == 1
    return html.replace(policy, "").replace('<meta http-equiv="x-dns-prefetch-control" content="off">', "")


@pytest.mark.parametrize("make", [attacks, hostile_page])
def test_the_sanitised_page_asks_for_nothing_even_without_policy_and_sandbox(make, tab, tmp_path, evil):
    (tmp_path / "page.html").write_text(without_policy(make(evil.url), f"{evil.url}/page"), "utf-8")
    tab.page.goto((tmp_path / "page.html").as_uri())
    assert tab.page.get_by_text("text").first.is_visible()
    for element in tab.page.locator("a, button, input, summary").all():
        if element.is_visible():
            element.click(force=True)
    tab.page.wait_for_timeout(500)

    assert evil.connections == []
    assert tab.page.evaluate("'canary' in window") is False


def test_the_attacks_are_such(browser, evil):
    """The test above can fail: the same page as it came asks for most of what it names."""
    tab = Tab(browser)
    tab.page.set_content(attacks(evil.url))
    tab.page.wait_for_timeout(500)
    asked = {url.removeprefix(f"{evil.url}/").partition("#")[0] for url in tab.requests}
    tab.context.close()

    working = "import import-url import-escaped url url-escaped url-escaped-long image-set image-set-escaped mask font"
    assert {*working.split(), "variable", "nested", "img", "iframe-srcdoc", "preload", "svg-image"} <= asked
    assert len(evil.connections) > 0


LOADS = (
    '@import "EVIL";',
    "@import url(EVIL);",
    "P{background:url(EVIL)}",
    "P{background:url('EVIL')}",
    'P{background:image-set("EVIL" 1x)}',
    "P{mask:-webkit-image-set(url(EVIL) 1x)}",
)
NOISE = (
    "/**/",
    "/*",
    "*/",
    "\\\n",
    "\\",
    "@font-face{}",
    '@import "x";',
    "url()",
    "image-set()",
    "expression(",
    '"',
    "'",
    ";",
)


def disguised(text: str, chance: random.Random) -> str:
    """The text with some of its letters written as escapes, once or twice, and something put in between."""
    pieces = []
    for letter in text:
        code = f"{'0' * chance.randrange(5)}{ord(letter):x}{chance.choice(('', ' '))}"
        escapes = (f"\\{code}", f"\\\\{code}", f"\\5c {code}", f"\\{letter}", letter.upper())
        pieces.append(chance.choice(escapes) if letter.isalpha() and chance.random() < 0.1 else letter)
        pieces.append(chance.choice(NOISE) if chance.random() < 0.03 else "")
    return "".join(pieces)


def test_disguised_sheets_ask_for_nothing(tab, evil):
    chance = random.Random(7)
    sheets = []
    for number in range(2000):
        loads = "".join(disguised(load, chance) for load in chance.choices(LOADS, k=2))
        # Each has an element of its own: what is open ends with the sheet, and no rule outdoes another's.
        css = safe_css(loads.replace("EVIL", f"{evil.url}/{number}").replace("P{", f"#p{number}{{"))
        sheets.append(f"<style>{css}</style><p id=p{number}>text</p>")
    tab.page.set_content("".join(sheets))
    tab.page.wait_for_timeout(500)

    assert tab.page.get_by_text("text", exact=True).count() == len(sheets)
    assert evil.connections == []
