"""The classifiers of the papers' comparisons, from scikit-learn, behind one interface.

Outputs are shares of boilerplate or 0 and 1; above 0.5 is boilerplate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrapy_boilerplate.extras import require
from scrapy_boilerplate.train.blockwise import Numbers, Predictor, RowTrainer
from scrapy_boilerplate.train.rprop import Examples


def logistic_regression() -> RowTrainer:
    linear_model = require("sklearn.linear_model")
    return _fitted(lambda: linear_model.LogisticRegression(max_iter=2000), standardised=True)


def rbf_svm() -> RowTrainer:
    """A support vector machine with LIBSVM's defaults: gamma is 1 / number of inputs, C is 1, inputs are not scaled."""
    svm = require("sklearn.svm")
    return _fitted(lambda: svm.SVC(kernel="rbf", gamma="auto", C=1.0))


def puk_svm(omega: float = 1.0, sigma: float = 1.0) -> RowTrainer:
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


def linear_svm() -> RowTrainer:
    svm = require("sklearn.svm")
    return _fitted(lambda: svm.LinearSVC(C=1.0, dual=False, tol=1e-3), standardised=True)


def decision_tree(smallest_leaf: int = 1000, **options: Any) -> RowTrainer:
    """A decision tree with at least this many blocks in each leaf, as in the boilerpipe paper."""
    tree = require("sklearn.tree")
    return _fitted(
        lambda: tree.DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=smallest_leaf, random_state=0, **options
        )
    )


def _fitted(make: Any, *, standardised: bool = False, scaled: bool = False) -> RowTrainer:
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
