"""FANN's network files: read, run and written as FANN does it, and refused when they are anything else."""

from __future__ import annotations

import ctypes
import ctypes.util
import re
from itertools import pairwise

import numpy as np
import pytest

from scrapy_boilerplate.models.papers.fann import FannNetwork, Layer

INPUTS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [0.2, 1.3, -0.4], [-1.0, 0.25, 2.0], [0.9, 0.9, 0.9]])

# What FANN 2.2.0 (float) answers for INPUTS, by the hidden units' function.
FANN_OUTPUTS = {
    5: [0.382703, 0.615484, -0.148767, -0.347329, 0.023762],
    8: [0.192428, -0.439978, -0.607397, 0.90409, 0.309224],
}


def network(function: int = 5) -> FannNetwork:
    hidden = np.array([[1.5, -2.0, 0.75, 0.1], [-0.3, 0.8, 1.25, -0.6]], np.float32)
    output = np.array([[0.9, -1.1, 0.4]], np.float32)
    return FannNetwork((Layer(hidden, function, 0.5), Layer(output, 13, 0.5)))


@pytest.fixture
def net_file(tmp_path):
    path = tmp_path / "small.net"
    network().write(path)
    return path


@pytest.mark.parametrize("function", [5, 8])
def test_the_outputs_are_those_of_fann(function):
    outputs = network(function).forward(INPUTS)
    assert outputs.shape == (5, 1)
    assert outputs[:, 0] == pytest.approx(FANN_OUTPUTS[function], abs=2e-5)


@pytest.mark.parametrize("function", [5, 8])
def test_a_written_network_is_read_back_as_it_was(tmp_path, function):
    path = tmp_path / "net.net"
    network(function).write(path)
    again = FannNetwork.read(path)
    assert again.sizes == (3, 2, 1)
    for layer, expected in zip(again.layers, network(function).layers, strict=True):
        assert (layer.weights == expected.weights).all()
        assert (layer.function, layer.steepness) == (expected.function, expected.steepness)


def test_two_hidden_layers_are_read_too(tmp_path):
    random = np.random.default_rng(1)
    sizes = (37, 18, 5, 1)
    layers = [
        Layer(random.normal(size=(size, inputs + 1)).astype(np.float32), 13 if size == 1 else 8, 0.5)
        for inputs, size in pairwise(sizes)
    ]
    FannNetwork(tuple(layers)).write(tmp_path / "deep.net")
    assert FannNetwork.read(tmp_path / "deep.net").sizes == sizes


def test_the_header_of_fann_2_1_lacks_two_keys(net_file):
    text = re.sub(r"cascade_min_\w+=\d+\n", "", net_file.read_text())
    assert "cascade_min" not in text
    net_file.write_text(text)
    assert (FannNetwork.read(net_file).forward(INPUTS) == network().forward(INPUTS)).all()


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r"FANN_FLO_2.1", "FANN_FIX_2.0", "not a network file"),
        (r"(?s).*", "", "not a network file"),
        (r"network_type=0", "network_type=1", "network_type is 1"),
        (r"connection_rate=1.0+", "connection_rate=0.5", "connection_rate is 0.5"),
        (r"scale_included=0", "scale_included=1", "scale_included is 1"),
        (r"scale_included=0\n", "", "'scale_included' is missing"),
        (r"layer_sizes=4 3 2", "layer_sizes=4 2", "there must be a hidden layer"),
        (r"layer_sizes=4 3 2", "layer_sizes=5 3 2", "9 neurons instead of 10"),
        (r"connections \(connected[^$]*", "", "'connections' is missing; the file may be truncated"),
        (r" \(6, [^)]*\) *\n$", "\n", "10 connections instead of 11"),
        (r" \(6, ([^)]*)\) *\n$", "", "10 connections instead of 11"),
        (r"\(4, 5, ", "(3, 5, ", "layer 1 is not fully connected"),
        (r"\(4, 5, 0.5\) \(0", "(4, 8, 0.5) (0", "layer 1 mixes activation functions"),
        (r"\(4, 5, ", "(4, 3, ", "activation function 3 of hidden layer 1"),
        (r"\(3, 13, ", "(3, 5, ", "activation function 5 of output layer 2"),
        (r"\(4, 5, 0.5\)", "(4, 5, nan)", "mixes|steepness"),
        (r"\(6, [^)]*\)", "(6, nan)", "not a finite number"),
        (r"\(6, [^)]*\)", "(6, x)", "could not convert"),
        (r"\(6, ", "(3, ", "not in the order"),
    ],
)
def test_any_other_file_is_refused_with_its_name_and_the_reason(net_file, pattern, replacement, reason):
    changed = re.sub(pattern, replacement, net_file.read_text())
    net_file.write_text(changed)
    with pytest.raises(ValueError, match=rf"small\.net: .*({reason})"):
        FannNetwork.read(net_file)


def test_bytes_that_are_no_text_are_refused(net_file):
    net_file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"small\.net"):
        FannNetwork.read(net_file)


LIBFANN = ctypes.util.find_library("floatfann")


def libfann_outputs(path, inputs):
    library = ctypes.CDLL(LIBFANN)
    floats = ctypes.POINTER(ctypes.c_float)
    library.fann_create_from_file.restype = ctypes.c_void_p
    library.fann_run.restype, library.fann_run.argtypes = floats, [ctypes.c_void_p, floats]
    library.fann_destroy.argtypes = [ctypes.c_void_p]
    fann = library.fann_create_from_file(str(path).encode())
    assert fann, "FANN refuses the file"
    rows = np.ascontiguousarray(inputs, np.float32)
    outputs = [library.fann_run(fann, row.ctypes.data_as(floats))[0] for row in rows]
    library.fann_destroy(fann)
    return np.array(outputs)


@pytest.mark.skipif(LIBFANN is None, reason="libfann is not installed")
@pytest.mark.parametrize("function", [5, 8])
@pytest.mark.parametrize("largest", [2, 50, 1500])
def test_the_real_libfann_reads_our_files_and_says_the_same(tmp_path, function, largest):
    random = np.random.default_rng(largest)
    hidden = random.uniform(-largest, largest, (18, 38)) / 10
    hidden[random.random(hidden.shape) < 0.1] = largest
    output = random.uniform(-1, 1, (1, 19))
    layers = (Layer(hidden.astype(np.float32), function, 0.5), Layer(output.astype(np.float32), 13, 0.5))
    FannNetwork(layers).write(tmp_path / "random.net")
    inputs = random.random((500, 37)) * (random.random((500, 37)) < 0.5)
    ours = FannNetwork.read(tmp_path / "random.net").forward(inputs.astype(np.float32))[:, 0]
    # Weights of 1500 multiply what a float has lost of its input.
    assert np.abs(ours - libfann_outputs(tmp_path / "random.net", inputs)).max() < (2e-5 if largest < 1500 else 2e-3)


@pytest.mark.skipif(LIBFANN is None, reason="libfann is not installed")
@pytest.mark.parametrize("function", [5, 8])
def test_the_stored_outputs_are_those_of_the_real_libfann(tmp_path, function):
    network(function).write(tmp_path / "small.net")
    assert libfann_outputs(tmp_path / "small.net", INPUTS) == pytest.approx(FANN_OUTPUTS[function], abs=1e-6)
