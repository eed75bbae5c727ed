"""Initial inputs of the fuzzing, as they occur in practice, and words to insert into them."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scrapy_boilerplate.label.files import digest_of
from scrapy_boilerplate.models import MODELS, WEIGHTS
from scrapy_boilerplate.models.weights_file import load_weights

from ..archives import PACKERS, answer, record
from ..pages import PAGE

GOLD = Path(__file__).parents[1] / "gold" / "other_sites"
MOST = 3000  # bytes of a page: the head and some of the body; small inputs can be mutated more often

# Small pages with features that have special rules: tables, lists, quotes, code, inline parts, encodings, bad nesting.
PAGES = [
    b"<title>A</title><table><tr><th>a<td>b<tr><td>c d<td rowspan=9999999>e</table><ul><li>f<li>g<ul><li>h</ul></ul>",
    b"<pre>a\n  b\n\n</pre><blockquote>q<p>r</blockquote><code>x</code><textarea>t</textarea><select><option>o",
    b"<p>one <b>two</b> <a href=x>three</a><br>four<img alt='five'><span style='display:none'>six</span><hr>seven",
    b"<meta charset=shift_jis><p>\x82\xa0\x82\xa2</p>\xff\xfe<svg><title>no</title></svg><math><mi>x</mi></math>",
    b"\xff\xfe<\x00p\x00>\x00h\x00i\x00",
    b"<body></body></html><p>late</p><frameset><frame><noframes>text</noframes></frameset><noscript>n</noscript>",
    b"<div><div><p>a<div>b</p></div>c</div><script>'</p>'</script><style>p{}</style><!-- c --><![CDATA[d]]>&#x10ffff;",
    "<h1>Überschrift</h1><p>日本語の文章。</p><p>العربية</p><h2>Comments</h2><p>№ 1…</p>".encode(),
    b"<dl><dt>t<dd>d</dl><form><label>l<input value=v><button>b</form><nav><a>1</a><a>2</a></nav><footer>f",
]


def pages() -> list[bytes]:
    return [PAGE.encode(), *PAGES, *(path.read_bytes()[:MOST] for path in sorted(GOLD.glob("*.html")))]


def extract_seeds() -> list[bytes]:
    return [bytes([number % 256]) + page for number in range(len(MODELS)) for page in pages()]


def weights_seeds() -> list[bytes]:
    card = {
        "least_expected_f1": 0.3,
        "page_features": 3,
        "confidence": {"expected_f1": [0], "share_of_good_pages": [1]},
    }
    described = {"format": 1, "kind": "perceptron", "feature_names": ["words"], "threshold": 0.5, "card": card}
    texrex = {**described, "kind": "texrex", "functions": [[5, 0.5]], "digest": "0"}
    array = (
        b"\x93NUMPY\x01\x00\x46\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }".ljust(79)
        + b"\n"
        + bytes(8)
    )
    metadata = [json.dumps(one).encode() + b"\0\0" + array for one in (described, texrex)]
    network = (
        b"nFANN_FLO_2.1\nnum_layers=3\nconnection_rate=1\nnetwork_type=0\nlayer_sizes=2 2 2\nscale_included=0\n"
        b"neurons (num_inputs, activation_function, activation_steepness)=(0, 0, 0.0) (0, 0, 0.0) (2, 5, 0.5) "
        b"(0, 0, 0.0) (2, 13, 0.5) (0, 0, 0.0)\n"
        b"connections (connected_to_neuron, weight)=(0, 1.0) (1, 2e-1) (2, 1.0) (3, 2e-1)\n"
    )
    shipped = [b"r" + path.read_bytes() for path in sorted(WEIGHTS.glob("*.npz")) if path.stat().st_size < 50_000]
    return [network, *(kind + one for kind in (b"z", b"d") for one in metadata), *shipped]


def labels_seeds() -> list[bytes]:
    block = {"text": "Ein Gruß", "xpath": "/html/body/p[1]", "content": True}
    blocks = [block, {**block, "content": None}, {**block, "content": False}]
    labels = {"format": 1, "page": "a.html", "url": "http://a.example/", "encoding": "utf-8", "digest": digest_of(b"")}
    return [json.dumps({**labels, "model": None, "blocks": chosen}).encode() for chosen in ([], blocks)]


def warc_seeds() -> list[bytes]:
    body = b"<title>t</title><p>Some words of a text, and some more of them.</p>"
    records = [
        record("http://a.example/", answer(body)),
        record("<http://a.example/>", answer(gzip.compress(body), "Content-Encoding: gzip")),
        record("http://a.example/", answer(zlib.compress(body), "Content-Encoding: deflate, br")),
        record("http://a.example/", answer(b"5\r\n<p>ab\r\n0\r\n\r\n", "Transfer-Encoding: chunked")),
        record("http://a.example/", b"text", kind="conversion", content_type="text/plain"),
        record("http://a.example/", b"", kind="revisit"),
        record("http://a.example/", b"software: x", kind="warcinfo", content_type="application/warc-fields"),
    ]
    everything = b"".join(records)
    packed = [b"r" + b"".join(map(PACKERS[suffix], records[:3])) for suffix in (".gz", ".zst")]
    return [b"r" + everything, b"g" + everything, *packed, *(b"r" + one for one in records)]


def cache_seeds() -> list[bytes]:
    meta = {"url": "http://a/", "method": "GET", "status": 200, "response_url": "http://a/", "timestamp": 1.7e9}
    headers = b"Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip"
    return [b"\0\0".join([repr(meta).encode(), headers, body]) for body in (b"<p>a", gzip.compress(b"<p>a"))]


def models_seeds() -> list[bytes]:
    """Return inputs of a model's name, one of its arrays, a change of the array, and changes of the metadata."""
    changes = "nan huge negative empty less flat deeper turned whole text one complex".split()
    arrays = {name: list(load_weights(WEIGHTS / f"{name}.npz")[0]) for name in ("mlp", "texrex", "victor", "boilernet")}
    seeds: list[Any] = [
        [name, array, change, {}] for name, names in arrays.items() for array in names[:6] for change in changes
    ]
    seeds += [
        [name, "", "", metadata]
        for name in arrays
        for metadata in ({"threshold": 0.5, "card": {}}, {"feature_names": []}, {"functions": []}, {"threshold": None})
    ]
    return [json.dumps(seed).encode() for seed in seeds]


def gold_seeds() -> list[bytes]:
    truth = {"main_content": "Words of a text", "with": ["Words"], "without": ["Menu"]}
    record = {"url": "http://a.example/", "ground_truth": truth, "_internal": {"page_type": {"primary": "article"}}}
    return [b"j" + json.dumps(record).encode(), b"d2 37 1\n" + (b"0.5 " * 37 + b"\n1\n") * 2]


def state_seeds() -> list[bytes]:
    state = {"run": {}, "source": 0, "records": 1, "mark": {"size": 30, "digest": ""}, "counts": {"pages": 1}}
    return [kind + json.dumps(state).encode() for kind in (b"p", b"d", b"-")]


def settings_seeds() -> list[bytes]:
    settings = {
        "BOILERPLATE_MODEL": "numwords",
        "BOILERPLATE_THRESHOLD": 0.5,
        "BOILERPLATE_FILTER": "main",
        "BOILERPLATE_ANCESTOR_DEPTH": 2,
        "BOILERPLATE_FIELDS": {"main_text": "text"},
        "BOILERPLATE_BLOCKS": "kept",
        "BOILERPLATE_MAX_BYTES": 1000,
        "BOILERPLATE_REPORT": "report.html",
        "BOILERPLATE_WORKERS": 1,
        "BOILERPLATE_WORKER_TIMEOUT": "1e3",
        "BOILERPLATE_IMAGE_ALT": "true",
    }
    singles = [{name: value} for name, value in settings.items()]
    return [b"mine.npz", *(json.dumps(one).encode() for one in (settings, *singles))]


def command_seeds() -> list[bytes]:
    lines = (
        "page.html",
        "page.html.gz --model numwords --threshold 0.5 --filter main --json",
        "page.html --blocks --output out.txt -s BOILERPLATE_THRESHOLD=0.5",
        "page.html --format cleaneval --spider news --nolog -L INFO",
        "warc crawl.warc -o out.jsonl --blocks --restart --model numwords",
        "evaluate --data pages --model numwords --threshold 0.5 --worst 1 --json",
        "compare --data pages --model numwords --pages 1 --repeats 1",
        "train --data pages --kind texrex -o mine.npz --folds 2 --epochs 1 --seed 1 --plot out.png",
        "train pages --from mlp -o mine.npz --check pages",
        "train --recipe texrex.toml --data-root pages -o mine.npz --folds 0 --epochs 1",
    )
    return ["\n".join(line.split()).encode() for line in lines]


SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "extract": extract_seeds,
    "weights": weights_seeds,
    "models": models_seeds,
    "labels": labels_seeds,
    "gold": gold_seeds,
    "warc": warc_seeds,
    "cache": cache_seeds,
    "state": state_seeds,
    "settings": settings_seeds,
    "command": command_seeds,
}

_TAGS = "a p div span table tr td th ul li pre br title h1 h2 svg script style form option article frameset".split()

_JSON = rb"""null true false [] {} "" 0 -1 0.5 1e999 NaN Infinity 99999999999999999999 "\ud800" [[[[[[[["""

WORDS: dict[str, list[bytes]] = {
    "extract": [
        *(f"<{tag}>".encode() for tag in _TAGS),
        *(f"</{tag}>".encode() for tag in _TAGS),
        *b"<!-- --> <![CDATA[ ]]> <?xml <!DOCTYPE &nbsp; &#0; &#xD800; <x:y> <p\t>".split(b" "),
        *b" class= id= href= style= alt= hidden charset=utf-16 <meta charset=".split(),
        *"\u200b \u00ad \u2028 \u3000 日本 №".encode().split(b" "),
        *b"\x00 \xed\xa0\x80 \xfe\xff \xff\xfe \xf0\x9f".split(b" "),
    ],
    "weights": rb"""
        "format" "kind" "card" "threshold" "feature_names" null 1e999 NaN [] {} '<f8' '|O' PK
        """.split(),
    "labels": rb"""
        "format" "page" "blocks" "content" null true [ { [[[[[[[[ \ud800 1e999 1 -1
        """.split(),
    "warc": [
        *(b"WARC/1.0\r\n", b"WARC/1.1\r\n", b"Content-Length: ", b"WARC-Type: response\r\n", b"\r\n\r\n"),
        *(b"HTTP/1.1 200 OK\r\n", b"Content-Type: text/html\r\n", b"Content-Encoding: ", b"Transfer-Encoding: "),
        *b"gzip br zstd deflate chunked -1 0 99999999999999999999 ffffffffffffffff".split(),
        *(b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\x5d\x2a\x4d\x18"),
    ],
    "models": [*_JSON.split(), *(f'"{change}"'.encode() for change in ("nan", "huge", "empty", "turned", "text"))],
    "gold": [*_JSON.split(), b'"url"', b'"main_content"', b"http://[", b"1 1 1\n"],
    "state": [*_JSON.split(), b'"records"', b'"source"', b'"mark"', b'"size"', b'"counts"', b'"digest"', b'"run"'],
    "settings": [*_JSON.split(), b'"BOILERPLATE_', b'"None"', b'"nan"', b".npz", b".net", b"\\u0000", b"."],
    "command": [
        *b"\n -- - --model --output --format --data -o -s -L --help nan inf -1 = None out.png".split(b" "),
        *b"--jsonl --fail --url --version".split(),
        *b"page.html warc evaluate compare train trian . pages crawl.warc --profile --pidfile".split(),
        *b"\xff \xed\xa0\x80 1e999 999999".split(),
    ],
    "cache": [
        *rb"'url' 'status' 'timestamp' 'response_url' None True 1e400 -1 \ud800 [ ( {} charset= gzip br".split(),
        b"\0\0",
    ],
}
