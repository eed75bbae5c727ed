"""The boilernet model: its inputs by hand, its network against the textbook and PyTorch, and what is refused."""

from __future__ import annotations

import json
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate import extract
from scrapy_boilerplate.models import WEIGHTS, load_model
from scrapy_boilerplate.models.papers.boilernet import BoilerNet
from scrapy_boilerplate.models.papers.leaves import Leaves, Vocabulary
from scrapy_boilerplate.models.papers.lstm import BidirectionalLstm
from scrapy_boilerplate.models.weights_file import load_weights, save_weights
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment.limits import MOST_BLOCKS
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes
from scrapy_boilerplate.train.align import label_text_nodes
from scrapy_boilerplate.train.cards import card_page

from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS, article
from ..tools.test_train_texrex import run as train_by_command

OTHER_SITES = Path(__file__).parents[1] / "gold" / "other_sites"
VOCABULARY = Vocabulary(("html", "div", "p", "b"), ("the", ".", "harbour"))
SNIPPET = "<html><body><div><div><p>The harbour. The <b>tide</b>!</p></div><i>图书 the</i></div></body></html>"
CARD = {"threshold": 0.5, "confidence": {"expected_f1": [0.0, 1.0], "share_of_good_pages": [0.0, 1.0]}}


def split(markup):
    return segment_text_nodes(to_tree(markup))


def wave(*shape, step=0.7, start=0.0):
    """Numbers between -1 and 1 that are the same everywhere."""
    return np.sin(start + step * np.arange(np.prod(shape, dtype=int))).reshape(shape).astype(np.float32)


def arrays(units=3, width=3):
    """Weights of a network for the vocabulary."""
    weights = {"tags": wave(5, width), "words": wave(4, width, start=1.0), "dense_bias": wave(width, start=2.0)}
    for layer, inputs in enumerate((width, 2 * units)):
        weights |= {
            f"inputs_{layer}": wave(2, inputs, 4 * units, start=3.0 + layer),
            f"recurrent_{layer}": wave(2, units, 4 * units, start=5.0 + layer),
            f"bias_{layer}": wave(2, 4 * units, start=7.0 + layer),
        }
    return weights | {"output": wave(2 * units, start=9.0), "output_bias": wave(start=10.0)}


def tiny():
    return BoilerNet(arrays(), VOCABULARY, CARD)


# Inputs


def test_the_inputs_of_a_snippet_are_those_counted_by_hand():
    leaves = Leaves.of(split(SNIPPET), VOCABULARY)

    assert leaves.tag_counts.tolist() == [
        # html div p b others: <body> and <i> are unknown
        [1, 2, 1, 0, 1],  # The harbour. The
        [1, 2, 1, 1, 1],  # tide
        [1, 2, 1, 0, 1],  # !
        [1, 1, 0, 0, 2],  # 图书 the
    ]
    assert leaves.words.tolist() == [0, 2, 1, 0, 3, 3, 3, 3, 0]
    assert leaves.owners.tolist() == [0, 0, 0, 0, 1, 2, 3, 3, 3]


def test_some_of_the_leaves_are_those_leaves():
    leaves = Leaves.of(split(SNIPPET), VOCABULARY).some(1, 4)

    assert leaves.tag_counts.tolist() == [[1, 2, 1, 1, 1], [1, 2, 1, 0, 1], [1, 1, 0, 0, 2]]
    assert (leaves.words.tolist(), leaves.owners.tolist()) == ([3, 3, 3, 3, 0], [0, 1, 2, 2, 2])


def test_tags_are_counted_however_deep_they_are():
    leaves = Leaves.of(split("<div>" * 200 + "deep" + "<b>er</b>"), VOCABULARY)

    assert leaves.tag_counts.tolist() == [[1, 200, 0, 0, 1], [1, 200, 0, 1, 1]]


def test_the_vocabulary_is_what_is_most_common():
    pages = [split("<p>a a b.</p><p><i>A</i></p>"), split("<h1>c</h1><p>b</p>")]

    # <html> and <body> are around five leaves, <p> around three, <h1> and <i> around one.
    assert Vocabulary.learn(pages, tags=4, words=3) == Vocabulary(("body", "html", "p", "h1"), ("a", "b", "."))
    assert Vocabulary.learn(pages, tags=50, words=1000).words == ("a", "b", ".", "c")


# Network


def textbook_lstm(rows, inputs, recurrent, bias):
    """Hochreiter and Schmidhuber's cell with a forget gate, one step and one gate at a time."""

    def sigmoid(values):
        return 1 / (1 + np.exp(-values))

    units = len(recurrent)
    output, cell, outputs = np.zeros(units), np.zeros(units), []
    for row in rows:
        sums = row @ inputs + output @ recurrent + bias
        input_gate, forget_gate, new, output_gate = (sums[gate * units : (gate + 1) * units] for gate in range(4))
        cell = sigmoid(forget_gate) * cell + sigmoid(input_gate) * np.tanh(new)
        output = sigmoid(output_gate) * np.tanh(cell)
        outputs.append(output)
    return np.array(outputs).reshape(-1, units)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 5000])
def test_a_layer_is_two_lstms_of_the_textbook(count):
    weights = arrays(width=4)
    inputs, recurrent, bias = (weights[f"{name}_0"] for name in ("inputs", "recurrent", "bias"))
    rows = wave(count, 4, step=0.9)

    outputs = BidirectionalLstm(inputs, recurrent, bias).forward(rows)

    double = [array.astype(np.float64) for array in (inputs, recurrent, bias)]
    ahead = textbook_lstm(rows, *(array[0] for array in double))
    back = textbook_lstm(rows[::-1], *(array[1] for array in double))[::-1]
    assert outputs.shape == (count, 6)
    assert np.allclose(outputs, np.hstack((ahead, back)), rtol=0, atol=1e-6)


# What torch 2.13 makes of the snippet; the test below computes it again where torch is installed.
TORCH_SCORES = [0.2799376845359802, 0.2788034975528717, 0.27955180406570435, 0.280244380235672]


def test_the_scores_are_those_that_pytorch_gave():
    leaves = Leaves.of(split(SNIPPET), VOCABULARY)

    assert tiny().score_leaves(leaves).tolist() == pytest.approx(TORCH_SCORES, abs=1e-6)


def in_pytorch(weights):
    """The network of these weights; without torch the test is skipped."""
    torch = pytest.importorskip("torch", reason="PyTorch is for training")
    from scrapy_boilerplate.train.leaf_network import LeafNetwork

    torch.set_num_threads(1)  # for a page at a time, threads that wait for each other take longer
    network = LeafNetwork(len(weights["tags"]), len(weights["words"]), weights["recurrent_0"].shape[1], 0.5).eval()
    with torch.no_grad():
        network.tags.weight[:] = torch.from_numpy(weights["tags"].T)
        network.tags.bias[:] = torch.from_numpy(weights["dense_bias"])
        network.words.weight[:] = torch.from_numpy(weights["words"])
        network.output.weight[0] = torch.from_numpy(weights["output"])
        network.output.bias[0] = float(weights["output_bias"])
        for number, lstm in enumerate(network.lstms):
            layer, direction = divmod(number, 2)
            lstm.weight_ih_l0[:] = torch.from_numpy(weights[f"inputs_{layer}"][direction].T)
            lstm.weight_hh_l0[:] = torch.from_numpy(weights[f"recurrent_{layer}"][direction].T)
            lstm.bias_ih_l0[:] = torch.from_numpy(weights[f"bias_{layer}"][direction])
            lstm.bias_hh_l0[:] = 0
    return network


def test_the_network_in_pytorch_gives_the_same_scores():
    torch = pytest.importorskip("torch", reason="PyTorch is for training")
    from scrapy_boilerplate.train.leaf_network import BoilerNetSettings, exported

    network = in_pytorch(arrays())
    with torch.no_grad():
        pages = [Leaves.of(split(page), VOCABULARY) for page in (SNIPPET, PAGE, "<p>one</p>")]
        together = torch.sigmoid(network(pages)).numpy()

        assert together[:4].tolist() == pytest.approx(TORCH_SCORES, abs=1e-6)
        alone = np.concatenate([torch.sigmoid(network([page])).numpy() for page in pages])
        assert together == pytest.approx(alone, abs=1e-6), "padding must not be read"
        in_numpy = np.concatenate([tiny().score_leaves(page) for page in pages])
        assert together == pytest.approx(in_numpy, abs=1e-6)
        rounded = exported(network, VOCABULARY, BoilerNetSettings())
        assert rounded.score_leaves(pages[1]) == pytest.approx(tiny().score_leaves(pages[1]), abs=1e-2)


def test_on_whole_pages_the_shipped_weights_score_as_in_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is for training")
    model = BoilerNet.load(WEIGHTS / "boilernet.npz")
    weights, _ = load_weights(WEIGHTS / "boilernet.npz")
    network = in_pytorch({name: array.astype(np.float32) for name, array in weights.items()})
    pages = [Leaves.of(split(file.read_bytes()), model.vocabulary) for file in sorted(OTHER_SITES.glob("*.html"))]

    assert len(pages) == 15
    for page in pages:
        with torch.no_grad():
            expected = torch.sigmoid(network([page])).numpy()
        assert np.abs(model.score_leaves(page) - expected).max() < 1e-5


def test_a_matrix_of_counts_gives_the_same_scores():
    model, leaves = tiny(), Leaves.of(split(SNIPPET), VOCABULARY)
    bags = np.zeros((4, 4), np.float32)
    np.add.at(bags, (leaves.owners, leaves.words), 1)

    assert model.feature_names == ("<html>", "<div>", "<p>", "<b>", "other tags", "the", ".", "harbour", "other words")
    assert model.predict(np.hstack((leaves.tag_counts, bags))) == pytest.approx(model.score_leaves(leaves), abs=1e-6)


def test_a_leaf_may_have_more_words_than_are_added_up_at_a_time():
    many = Leaves.of(split(f"<p>{'the harbour . tide ' * 5000}</p><p>the</p>"), VOCABULARY)
    bags = np.zeros((2, 4), np.float32)
    np.add.at(bags, (many.owners, many.words), 1)

    assert bags.tolist() == [[5000, 5000, 5000, 5000], [1, 0, 0, 0]]
    small = BoilerNet(arrays() | {"words": wave(4, 3) * 1e-4}, VOCABULARY, CARD)
    assert small.score_leaves(many) == pytest.approx(small.predict(np.hstack((many.tag_counts, bags))), abs=1e-4)


# Pages


@pytest.mark.parametrize("page", ["", "<p> </p>", "<script>x</script>"])
def test_a_page_without_leaves_has_no_scores(page):
    document = extract(page, model="boilernet")

    assert (document.blocks, document.main_text, document.score) == ((), "", 0.0)


def test_a_page_with_one_leaf_has_one_score():
    [block] = extract("<p>Hello</p>", model="boilernet").blocks

    assert (block.text, block.tag) == ("Hello", "p")
    assert 0 < block.score < 1


def score_of_many(count):
    page = split("<p>The harbour <b>office</b> said</p>" * (count // 3))
    model = load_model("boilernet")
    assert isinstance(model, BoilerNet)
    return model.score_leaves(Leaves.of(page, model.vocabulary))


def test_of_more_leaves_than_the_bound_the_first_ones_are_scored():
    assert len(score_of_many(MOST_BLOCKS + 3)) == MOST_BLOCKS


def test_memory_is_in_proportion_to_the_page():
    score_of_many(3)
    peaks = []
    for count in (3_000, 12_000):
        tracemalloc.start()
        score_of_many(count)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < 4.4 * peaks[0]
    assert peaks[1] < 12_000 * 3_000  # bytes; a row of counts of all words alone would have 4,000


def test_the_shipped_weights_find_the_article():
    document = extract(article(*PARAGRAPHS * 3), model="boilernet")

    assert "\n\n".join(PARAGRAPHS * 3) in document.main_text
    assert "Home" not in document.main_text


def test_parts_of_a_paragraph_stay_together():
    sentence = PARAGRAPHS[0].replace("Tuesday", "<b>Tues<i>day</i></b>")

    document = extract(article(sentence, sentence), model="boilernet", threshold=0)

    assert "\n\n".join([PARAGRAPHS[0]] * 2) in document.main_text


def test_the_shipped_card_tells_how_the_weights_were_made_and_how_good_they_are():
    model = load_model("boilernet")
    assert isinstance(model, BoilerNet)

    assert "CC BY 4.0" in model.card["credit"][0]
    assert model.card["command"].startswith("scrapy boilerplate train --recipe boilernet.toml")
    page = card_page("boilernet", model)
    assert (WEIGHTS / "boilernet.md").read_text("utf-8") == page
    assert (WEIGHTS / "boilernet.npz").stat().st_size < 1_000_000


# Weights


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.npz"
    tiny().save(path)
    return path


def test_saved_weights_score_like_the_model_rounded_to_half_precision(file):
    model = load_model(str(file))
    assert isinstance(model, BoilerNet)
    leaves = Leaves.of(split(PAGE), VOCABULARY)

    assert (model.vocabulary, model.threshold) == (VOCABULARY, 0.5)
    rounded = {name: array.astype(np.float16) for name, array in arrays().items()}
    assert (model.score_leaves(leaves) == BoilerNet(rounded, VOCABULARY, CARD).score_leaves(leaves)).all()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"output": None}, "'output'"),
        ({"tags": wave(4, 3)}, r"tags has the shape \(4, 3\) instead of \(5, 3\)"),
        ({"words": wave(5, 3)}, r"words has the shape \(5, 3\) instead of \(4, 3\)"),
        ({"recurrent_1": wave(2, 3, 8)}, "recurrent_1 has the shape"),
        ({"recurrent_0": wave()}, "out of range"),
    ],
)
def test_weights_that_do_not_fit_together_are_refused(file, change, reason):
    weights, metadata = load_weights(file)
    changed = {name: array for name, array in {**weights, **change}.items() if array is not None}
    save_weights(file, changed, metadata)

    with pytest.raises(ValueError, match=rf"can't use weights from .*own\.npz: .*{reason}"):
        BoilerNet.load(file)


@pytest.mark.parametrize(
    "change",
    [{"feature_names": ["<p>", "the"]}, {"feature_names": ["<p>", "other tags", "the"]}],
)
def test_weights_that_lack_their_vocabulary_are_refused(file, change):
    weights, metadata = load_weights(file)
    save_weights(file, weights, {**metadata, **change})

    with pytest.raises(ValueError, match=r"can't use weights from .*own\.npz"):
        BoilerNet.load(file)


def test_damaged_weights_are_refused(file):
    contents = bytearray(file.read_bytes())
    contents[len(contents) // 2] ^= 0xFF
    file.write_bytes(contents)

    with pytest.raises(ValueError, match=r"can't read weights from .*own\.npz"):
        BoilerNet.load(file)


def test_weights_of_another_kind_or_format_are_refused(file):
    with pytest.raises(ValueError, match="kind 'perceptron', not 'boilernet'"):
        BoilerNet.load(WEIGHTS / "mlp.npz")
    with np.load(file) as contents:
        weights = dict(contents)
    metadata = json.loads(weights["metadata"].tobytes())
    weights["metadata"] = np.frombuffer(json.dumps({**metadata, "format": 99}).encode(), np.uint8)
    np.savez(file, **weights)
    with pytest.raises(ValueError, match="format 99, this version reads format 1"):
        BoilerNet.load(file)


# Training


def test_a_leaf_is_labelled_with_its_paragraph():
    page = split(f"<p>Home</p><p>{PARAGRAPHS[0][:30]}<b>{PARAGRAPHS[0][30:36]}</b>{PARAGRAPHS[0][36:]}</p><p>More</p>")

    assert label_text_nodes(page, PARAGRAPHS[0]).tolist() == [0, 1, 1, 1, 0]


@pytest.fixture
def folder(tmp_path):
    """Pages of fifteen sites, an article on each."""
    for number in range(15):
        texts = PARAGRAPHS[number % 3 :] + PARAGRAPHS[: number % 3]
        address = f'<link rel="canonical" href="https://site{number}.com/">'
        page = article(*texts, title=f"Page {number}").replace("<head>", f"<head>{address}")
        (tmp_path / f"{number}.html").write_text(page, "utf-8")
        (tmp_path / f"{number}.txt").write_text("\n\n".join(texts), "utf-8")
    return tmp_path


def test_training_twice_gives_the_same_weights_and_a_card(folder):
    pytest.importorskip("torch", reason="training needs torch")
    paths = [folder / "first.npz", folder / "second.npz"]

    for path in paths:
        options = ("--epochs", 2, "--folds", 3, "--seed", 7, "--credit", "ours")
        train_by_command("--kind", "boilernet", "--data", folder, "-o", path, *options)

    first, second = map(BoilerNet.load, paths)
    leaves = Leaves.of(split(PAGE), first.vocabulary)
    assert (first.score_leaves(leaves) == second.score_leaves(leaves)).all()
    assert first.card["last_epoch"] in (1, 2)
    page = paths[0].with_suffix(".md").read_text("utf-8")
    assert all(part in page for part in ("Credit: ours", "## Accuracy", "## Confidence"))


def test_training_learns_from_aged_copies(folder):
    pytest.importorskip("torch", reason="training needs torch")
    recipe = f"""kind = "boilernet"
folds = 3
[[data]]
folder = "{folder.name}"
weight = 1.5
[augment]
aged = 0.5
[settings]
units = 4
epochs = 1
balance = 1.0
"""
    (folder / "own.toml").write_text(recipe, "utf-8")

    train_by_command("--recipe", folder / "own.toml", "--data-root", folder.parent, "-o", folder / "own.npz")

    model = BoilerNet.load(folder / "own.npz")
    assert model.card["cross_validation"]["aged"]["pages"] > 0
    assert {"table", "tr"} <= set(model.vocabulary.tags)


def test_with_weights_by_class_content_and_boilerplate_weigh_the_same():
    pytest.importorskip("torch", reason="training needs torch")
    from scrapy_boilerplate.train.leaf_network import Lesson, balanced

    lessons = [
        Lesson(None, np.array(labels, np.float32), np.array(weights, np.float32))
        for labels, weights in (
            ([1, 0, 0], [0.2, 0.3, 0.5]),
            ([0, 1], [0.5, 0.5]),
        )
    ]
    for balance, share in ((0.0, 0.35), (1.0, 0.5)):
        weighted = balanced(lessons, balance)
        content = sum(float(lesson.weights @ lesson.labels) for lesson in weighted)
        total = sum(float(lesson.weights.sum()) for lesson in weighted)
        assert content / total == pytest.approx(share, abs=0.02)
    assert [lesson.weights.tolist() for lesson in balanced(lessons, 0.0)] == [
        lesson.weights.tolist() for lesson in lessons
    ]


def test_training_without_torch_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(UsageError, match=r'torch is not installed; .*"\.\[train\]"'):
        train_by_command("--kind", "boilernet", "--data", tmp_path, "-o", tmp_path / "own.npz")


def test_training_learns(folder):
    pytest.importorskip("torch", reason="training needs torch")
    recipe = f'kind = "boilernet"\nfolds = 0\n[[data]]\nfolder = "{folder}"\n[settings]\nunits = 8\nepochs = 150\n'
    (folder / "own.toml").write_text(recipe, "utf-8")

    train_by_command("--recipe", folder / "own.toml", "-o", folder / "own.npz")

    document = extract(PAGE, model=str(folder / "own.npz"))
    assert document.main_text == MAIN_TEXT
    assert min(block.score for block in document.blocks[2:5]) > 0.9
