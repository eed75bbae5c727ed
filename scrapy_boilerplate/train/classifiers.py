"""The classifiers of the papers' comparisons, from scikit-learn, with one interface: train on rows, predict rows.

Outputs are shares of boilerplate or 0 and 1; above 0.5 is boilerplate.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..extras import require
from ..models.papers.fann import GAUSSIAN_SYMMETRIC
from .blockwise import Numbers, Predictor, Trainer
from .rprop import Examples, Snapshot, train_rprop


def rprop(
    *,
    function: int = GAUSSIAN_SYMMETRIC,
    epochs: int = 500,
    snapshot_every: int = 100,
    seed: int = 0,
    progress: Callable[[int, Snapshot], None] | None = None,
) -> Trainer:
    """The paper's network; of its snapshots the one with the lowest error on the training rows.

    `progress` is called with the fold and every snapshot.
    """

    def trainer(training: Examples, fold: int) -> Predictor:
        snapshot = train_rprop(
            training,
            function=function,
            epochs=epochs,
            snapshot_every=snapshot_every,
            seed=seed + fold,
            progress=partial(progress, fold) if progress else None,
        )
        return lambda inputs: snapshot.network.forward(inputs)[:, 0]

    return trainer


def logistic_regression() -> Trainer:
    linear_model = require("sklearn.linear_model")
    return _fitted(lambda: linear_model.LogisticRegression(max_iter=2000), standardised=True)


def rbf_svm() -> Trainer:
    """A support vector machine as LIBSVM has it by default: inputs as they are, gamma is 1 / their number, C is 1."""
    svm = require("sklearn.svm")
    return _fitted(lambda: svm.SVC(kernel="rbf", gamma="auto", C=1.0))


def puk_svm(omega: float = 1.0, sigma: float = 1.0) -> Trainer:
    """A support vector machine with the Pearson VII universal kernel and Weka's defaults.

    The kernel needs memory for rows squared: 0.7 GB for the German data.
    """
    svm = require("sklearn.svm")
    return _fitted(lambda: svm.SVC(kernel=lambda one, other: pearson_vii(one, other, omega, sigma), C=1.0), scaled=True)


def pearson_vii(one: Numbers, other: Numbers, omega: float = 1.0, sigma: float = 1.0) -> Numbers:
    """The Pearson VII universal kernel of Üstün et al. (2006)."""
    squares = np.square(one).sum(1)[:, np.newaxis] + np.square(other).sum(1) - 2 * (one @ other.T)
    factor = 4 * (2 ** (1 / omega) - 1) / sigma**2
    kernel: Numbers = (1 + factor * np.maximum(squares, 0)) ** -omega
    return kernel


def linear_svm() -> Trainer:
    svm = require("sklearn.svm")
    return _fitted(lambda: svm.LinearSVC(C=1.0, dual=False, tol=1e-3), standardised=True)


def decision_tree(smallest_leaf: int = 1000, **options: Any) -> Trainer:
    """A tree whose leaves hold at least this many blocks, as the boilerpipe paper has it."""
    tree = require("sklearn.tree")
    return _fitted(
        lambda: tree.DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=smallest_leaf, random_state=0, **options
        )
    )


def _fitted(make: Any, *, standardised: bool = False, scaled: bool = False) -> Trainer:
    preprocessing = require("sklearn.preprocessing")

    def trainer(training: Examples, _: int) -> Predictor:
        classifier = make()
        scaler = preprocessing.StandardScaler() if standardised else preprocessing.MinMaxScaler() if scaled else None
        inputs = training.inputs if scaler is None else scaler.fit_transform(training.inputs)
        weights = None if training.weights is None else training.weights / training.weights.mean()
        classifier.fit(inputs, training.targets > 0.5, sample_weight=weights)

        def predict(inputs: Numbers) -> Numbers:
            inputs = inputs if scaler is None else scaler.transform(inputs)
            if hasattr(classifier, "predict_proba"):
                return np.asarray(classifier.predict_proba(inputs)[:, 1])
            # A distance from the border, squeezed so that the border is at 0.5.
            return np.asarray(1 / (1 + np.exp(-np.clip(classifier.decision_function(inputs), -50, 50))))

        return predict

    return trainer
