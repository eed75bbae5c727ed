"""The models of the papers that this package grew out of."""
