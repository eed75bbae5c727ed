"""iRPROP-: FANN's own way through a small problem, and what our training adds."""

from __future__ import annotations

import ctypes
import ctypes.util

import numpy as np
import pytest

from scrapy_boilerplate.models.papers.fann import FannNetwork, Layer
from scrapy_boilerplate.train.rprop import Examples, Snapshot, mean_error, random_network, train_rprop

GAUSSIAN, TANH = 8, 5
LIBFANN = ctypes.util.find_library("floatfann")


def problem(rows: int = 200) -> Examples:
    inputs = np.random.default_rng(3).random((rows, 4)).round(3)
    return Examples(inputs, ((inputs[:, 0] > inputs[:, 1]) ^ (inputs[:, 2] > 0.7)).astype(float))


def start_network(function: int) -> FannNetwork:
    random = np.random.default_rng(5)
    hidden, output = random.uniform(0, 0.8, (3, 5)).round(3), random.uniform(0, 0.8, (1, 4)).round(3)
    return FannNetwork((Layer(hidden.astype(np.float32), function, 0.5), Layer(output.astype(np.float32), 13, 0.5)))


# FANN 2.2.0: the error that fann_train_epoch reports for epochs 2 to 7, which is the error after epochs 1 to 6.
FANN_ERRORS = {
    GAUSSIAN: [0.0642022, 0.0614651, 0.0616448, 0.0594535, 0.0582369, 0.0561817],
    TANH: [0.0658468, 0.0620935, 0.0641987, 0.0675106, 0.0612277, 0.0598474],
}


def errors_of(function: int, epochs: int) -> list[float]:
    snapshots: list[Snapshot] = []
    options = {"function": function, "snapshot_every": 1, "progress": snapshots.append}
    train_rprop(problem(), epochs=epochs, start=start_network(function), **options)
    return [snapshot.training_error for snapshot in snapshots]


@pytest.mark.parametrize("function", [GAUSSIAN, TANH])
def test_the_errors_are_those_of_fann(function):
    assert errors_of(function, 6) == pytest.approx(FANN_ERRORS[function], abs=2e-6)


@pytest.mark.skipif(LIBFANN is None, reason="libfann is not installed")
@pytest.mark.parametrize("function", [GAUSSIAN, TANH])
def test_the_errors_are_those_of_the_real_libfann(tmp_path, function):
    assert errors_of(function, 6) == pytest.approx(libfann_errors(tmp_path, function, 7)[1:], abs=2e-6)


def libfann_errors(folder, function, epochs):
    library = ctypes.CDLL(LIBFANN)
    library.fann_create_from_file.restype = library.fann_read_train_from_file.restype = ctypes.c_void_p
    library.fann_train_epoch.restype = ctypes.c_float
    library.fann_train_epoch.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    start_network(function).write(folder / "start.net")
    examples = problem()
    lines = [f"{len(examples.targets)} 4 1"]
    for inputs, target in zip(examples.inputs.tolist(), examples.targets.tolist(), strict=True):
        lines += [" ".join(map(str, inputs)), str(target)]
    (folder / "train.dat").write_text("\n".join(lines) + "\n")
    fann = library.fann_create_from_file(str(folder / "start.net").encode())
    data = library.fann_read_train_from_file(str(folder / "train.dat").encode())
    return [library.fann_train_epoch(fann, data) for _ in range(epochs)]


@pytest.mark.parametrize("function", [GAUSSIAN, TANH])
def test_it_learns(function):
    examples = problem(1000)
    snapshot = train_rprop(examples, hidden=8, function=function, epochs=300)
    decisions = snapshot.network.forward(examples.inputs)[:, 0] > 0.5
    assert (decisions == (examples.targets > 0.5)).mean() > 0.9
    assert snapshot.training_error == pytest.approx(mean_error(snapshot.network, examples), rel=1e-4)


def test_the_same_seed_gives_the_same_weights_and_another_one_others():
    def weights(seed: int) -> np.ndarray:
        return train_rprop(problem(), hidden=3, epochs=20, seed=seed).network.layers[0].weights

    assert (weights(1) == weights(1)).all()
    assert (weights(1) != weights(2)).any()


def test_start_weights_are_within_the_bounds_of_fann():
    inputs = problem().inputs
    network = random_network(inputs, 18, GAUSSIAN, 0)
    bound = (0.7 * 18) ** (1 / 4) / np.ptp(inputs)
    for layer in network.layers:
        assert 0 <= layer.weights[:, :-1].min() < layer.weights[:, :-1].max() <= bound
        assert np.abs(layer.weights).max() <= bound


def test_rows_without_weight_are_not_learnt():
    examples = problem()
    wrong = Examples(
        np.concatenate((examples.inputs, examples.inputs)),
        np.concatenate((examples.targets, 1 - examples.targets)),
        np.repeat([2.0, 0.0], len(examples.targets)),
    )
    weighted = train_rprop(wrong, hidden=3, epochs=10, start=start_network(TANH))
    plain = train_rprop(examples, hidden=3, epochs=10, start=start_network(TANH))
    assert weighted.training_error == pytest.approx(plain.training_error, rel=1e-4)


def test_a_weight_of_two_is_a_row_twice():
    examples = problem()
    twice = Examples(np.repeat(examples.inputs, 2, axis=0), np.repeat(examples.targets, 2))
    double = Examples(examples.inputs, examples.targets, np.full(len(examples.targets), 2.0))
    first, second = (train_rprop(e, epochs=5, start=start_network(GAUSSIAN)).training_error for e in (twice, double))
    assert first == pytest.approx(second, rel=1e-4)


def test_the_snapshot_with_the_best_validation_error_is_kept():
    snapshots: list[Snapshot] = []
    training, validation = problem(40), Examples(problem(400).inputs[40:], problem(400).targets[40:])
    best = train_rprop(training, validation=validation, hidden=10, epochs=400, progress=snapshots.append)
    assert best.validation_error == min(snapshot.validation_error for snapshot in snapshots)
    assert best.epoch < 400
    assert best.validation_error == pytest.approx(mean_error(best.network, validation))


def test_an_interrupt_keeps_the_best_snapshot():
    def interrupt(snapshot: Snapshot) -> None:
        if snapshot.epoch == 30:
            raise KeyboardInterrupt

    best = train_rprop(problem(), epochs=1000, progress=interrupt)
    assert 10 <= best.epoch <= 30


@pytest.mark.parametrize(
    ("inputs", "targets", "weights", "reason"),
    [
        (np.zeros((0, 2)), np.zeros(0), None, "can't be trained on"),
        (np.zeros((2, 2)), np.zeros(3), None, "can't be trained on"),
        (np.array([[np.nan], [1]]), np.array([0.0, 1]), None, "not a finite number"),
        (np.zeros((2, 1)), np.array([0.0, np.inf]), None, "not a finite number"),
        (np.zeros((2, 1)), np.ones(2), None, "all targets are 1"),
        (np.zeros((2, 1)), np.array([0.0, 1]), np.array([1.0, -1]), "weights must be"),
        (np.zeros((2, 1)), np.array([0.0, 1]), np.zeros(2), "weights must be"),
    ],
)
def test_what_can_not_be_trained_on_is_refused(inputs, targets, weights, reason):
    with pytest.raises(ValueError, match=reason):
        train_rprop(Examples(inputs, targets, weights))
