"""Pages that several tests share."""

from __future__ import annotations

PARAGRAPHS = (
    "The council voted on Tuesday evening to keep the old swimming baths open for another three years at least.",
    "Councillor Maja Lind said that nobody on the committee had expected so many letters from so many schools.",
    "Repairs to the roof will begin in March, and the small pool is to be heated again from the first of May.",
)
MAIN_TEXT = "\n\n".join(PARAGRAPHS)


def article(*paragraphs: str, title: str = "Baths to stay open") -> str:
    """Return a page with an article between a menu and a footer."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs or PARAGRAPHS)
    return (
        f"<html><head><title>{title}</title></head><body>"
        '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>'
        f"<div>{body}</div>"
        '<div class="footer"><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></div>'
        "</body></html>"
    )


PAGE = article()


def hostile_page(evil: str) -> str:
    """Return a page that tries in every way to run a script, which sets `parent.canary`, or to load from `evil`."""
    run = "parent.canary = 1"
    return f"""
<base href="{evil}/" target="_top"><meta http-equiv="refresh" content="0;url={evil}/refresh">
<link rel="stylesheet" href="{evil}/sheet.css"><link rel="prefetch" href="{evil}/prefetch">
<link rel="preload" as="image" href="{evil}/preload"><link rel="modulepreload" href="{evil}/module.js">
<script type="speculationrules">{{"prefetch": [{{"source": "list", "urls": ["{evil}/rules"]}}]}}</script>
<link rel="preconnect" href="{evil}"><link rel="dns-prefetch" href="{evil}"><link rel="icon" href="{evil}/icon">
<script>{run}</script><script src="{evil}/script.js"></script><script type="module">{run}</script>
<style>@import "{evil}/import.css"; p {{ background: URL( '{evil}/url.png' ) }} i {{ background: u\\72l({evil}/esc) }}
@\\69mport url({evil}/escaped.css); u {{ background: image-set("{evil}/image-set" 1x) }}
u {{ cursor: url({evil}/cursor), auto }}
@font-face {{ font-family: f; src: url({evil}/font) }} p {{ font-family: f }}</style>
<body onload="{run}" background="{evil}/background.png" id="body">
<p onclick="{run}" onmouseover="{run}" style="background: url({evil}/style.png); color: red" id="text">Plain text</p>
<i>slanted</i><u>underlined</u>
<img src="{evil}/image.png" srcset="{evil}/set.png 2x" onerror="{run}" name="querySelectorAll">
<a href="javascript:{run}" id="script-link">script</a> <a href="{evil}/link" ping="{evil}/ping" id="link">link</a>
<a href="{evil}/blank" target="_blank" id="blank">blank</a>
<form action="{evil}/form" id="form"><input name="body" type="image" src="{evil}/input">
<input autofocus onfocus="{run}">
<input id="closest"><button formaction="javascript:{run}">Send</button><button id="send">Send it</button></form>
<svg onload="{run}"><script>{run}</script><use href="{evil}/use#x"/><image href="{evil}/svg"/>
<animate attributeName="href" values="javascript:{run}"/>
<foreignObject><p>in a drawing</p></foreignObject><path d="M0 0h1" fill="url({evil}/fill#x)"/></svg>
<svg><style><img src=x onerror="{run}"></style></svg>
<math><mtext><table><mglyph><style><img src=x onerror="{run}"></style></mglyph></table></mtext></math>
<noscript><p title="</noscript><img src=x onerror='{run}'>">without scripts</p></noscript>
<xmp><img src=x onerror="{run}"></xmp><template><img src=x onerror="{run}"></template>
<p aria-label="x" aria-<b"onclick="{run}" aria-x'>odd names</p>
<my-element onclick="{run}" is="x">custom</my-element><marquee onstart="{run}">moving</marquee>
<details open ontoggle="{run}"><summary>more</summary>there</details>
<textarea></textarea><script>{run}</script></textarea>
<portal src="{evil}/portal"></portal><table background="{evil}/table"><tr><td background="{evil}/cell">cell</table>
<iframe src="{evil}/frame"></iframe><iframe srcdoc="<script>parent.{run}</script>"></iframe>
<object data="{evil}/object"></object><embed src="{evil}/embed"><video src="{evil}/video" autoplay></video>
"""


def page_of_new_names(number: int) -> str:
    """Return a page with 2,000 attribute names that no page of another number has."""
    elements = (" ".join(f"data-{number}-{place}-{i}-{'x' * 100}" for i in range(20)) for place in range(100))
    return PAGE.replace("<body>", f"<body>{''.join(f'<hr {attributes}>' for attributes in elements)}")
