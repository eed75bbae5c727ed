"""FANN's data files, folds, metrics and thresholds."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate.train.blockwise import (
    SWEEP,
    block_folds,
    cross_validate,
    documents,
    group_folds,
    measure,
    sweep,
)
from scrapy_boilerplate.train.fann_data import read_fann_data
from scrapy_boilerplate.train.rprop import Examples

TARGETS = np.array([1.0, 1, 1, 1, 1, 1, 0, 0])
OUTPUTS = np.array([0.9, 0.8, 0.7, 0.7, 0.6, 0.2, 0.55, 0.1])


def test_a_data_file_is_read(tmp_path):
    path = tmp_path / "small.dat"
    path.write_text("2 3 1\n0 0.5 1e-3\n1\n1 -0.25 2\n0\n")
    examples = read_fann_data(path)
    assert examples.inputs.tolist() == [[0, 0.5, 0.001], [1, -0.25, 2]]
    assert examples.targets.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", 'first line must be "rows inputs outputs"'),
        ("2 3\n", "first line"),
        ("two 3 1\n", "first line"),
        ("2 1 2\n0\n1 1\n0\n1 1\n", "1 output"),
        ("0 1 1\n", "there must be rows"),
        ("2 1 1\n0\n1\n0\n", r"3 numbers instead of 2 x \(1 \+ 1\)"),
        ("1 1 1\n0\n1\n0\n1\n", "4 numbers instead of 1"),
        ("2 1 1\n0\n1\nnan\n0\n", "row 2 has a value that is not a finite number"),
        ("2 1 1\n0\n1\nx\n0\n", "could not convert"),
        ("2 1 1\n0\n1\n1\n1\n", "all targets are 1; there must be both classes"),
    ],
)
def test_a_wrong_data_file_is_refused_with_its_name_and_the_reason(tmp_path, text, reason):
    path = tmp_path / "wrong.dat"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"wrong.dat: .*{reason}"):
        read_fann_data(path)


def test_metrics_at_a_threshold():
    metrics = measure(TARGETS, OUTPUTS, 0.5)
    assert metrics.accuracy == 6 / 8
    assert (metrics.precision, metrics.recall, metrics.f1) == pytest.approx((5 / 6, 5 / 6, 5 / 6))
    assert (metrics.content_precision, metrics.content_recall, metrics.content_f1) == pytest.approx((0.5, 0.5, 0.5))
    assert metrics.weighted_precision == pytest.approx(6 / 8 * 5 / 6 + 2 / 8 * 0.5)
    assert metrics.weighted_recall == pytest.approx(metrics.accuracy)


def test_blocks_may_be_weighted():
    weights = np.array([1.0, 1, 1, 1, 1, 0, 0, 1])
    assert measure(TARGETS, OUTPUTS, 0.5, weights).accuracy == 1


def test_nothing_found_is_no_division_by_zero():
    metrics = measure(np.zeros(2), np.zeros(2))
    assert (metrics.accuracy, metrics.precision, metrics.recall, metrics.f1) == (1, 0, 0, 0)


def test_the_sweep_goes_from_below_0_to_1():
    assert (SWEEP[0], SWEEP[-1], len(SWEEP)) == (-0.1, 1, 111)
    swept = sweep(TARGETS, OUTPUTS)
    threshold, metrics = swept.balanced
    assert metrics.precision == metrics.recall == pytest.approx(5 / 6)
    assert threshold == 0.2
    threshold, metrics = swept.best
    assert (threshold, metrics.accuracy) == (0.1, 7 / 8)


def test_a_threshold_that_finds_nothing_is_not_balanced():
    threshold, metrics = sweep(np.array([1.0, 1, 0]), np.array([0.3, 0.4, 0.5])).balanced
    assert metrics.f1 > 0
    assert threshold < 0.5


def test_folds_of_blocks_are_equal_and_repeatable():
    folds = block_folds(9917)
    assert sorted(np.bincount(folds).tolist()) == [991] * 3 + [992] * 7
    assert (folds == block_folds(9917)).all()
    assert (folds != block_folds(9917, seed=1)).any()


def test_documents_are_recognised_by_their_text_share_and_type():
    inputs = np.random.default_rng(0).random((6, 37))
    inputs[:, 4] = [0.1, 0.2, 0.1, 0.2, 0.2, 0.1]
    inputs[:, 21:24] = 0
    inputs[4, 21] = 1
    first, second, third = (documents(inputs)[row] for row in (0, 1, 4))
    assert documents(inputs).tolist() == [first, second, first, second, third, first]
    assert len({first, second, third}) == 3


def test_groups_stay_together_and_folds_are_balanced():
    groups = np.random.default_rng(0).integers(0, 40, 2000)
    folds = group_folds(groups, 10)
    assert all(len(set(folds[groups == group])) == 1 for group in range(40))
    assert np.ptp(np.bincount(folds)) < 30
    with pytest.raises(ValueError, match="5 groups are too few for 10 folds"):
        group_folds(np.arange(5), 10)


def test_every_row_is_predicted_by_a_model_that_has_not_seen_it():
    examples = Examples(np.arange(20.0)[:, np.newaxis], np.arange(20.0) % 2)
    folds = block_folds(20, 4)
    seen: list[set[float]] = []

    def trainer(training, fold):
        seen.append(set(training.inputs[:, 0]))
        return lambda inputs: np.array([float(value in seen[fold]) for value in inputs[:, 0]])

    assert (cross_validate(examples, folds, trainer) == 0).all()
    assert [len(rows) for rows in seen] == [15] * 4


def test_a_fold_that_takes_a_whole_class_away_is_refused():
    examples = Examples(np.zeros((4, 1)), np.array([0.0, 0, 0, 1]))
    with pytest.raises(ValueError, match="without fold 2 all targets are 0"):
        cross_validate(examples, np.array([0, 0, 1, 1]), lambda *_: lambda inputs: np.zeros(len(inputs)))
