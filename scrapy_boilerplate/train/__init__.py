"""Training and judging models: data sets, labels, trainers, cross-validation and figures."""
