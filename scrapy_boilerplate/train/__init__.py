"""Making and judging models: data sets, labels, training, cross-validation and figures."""
