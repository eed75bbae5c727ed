"""Kept blocks to text in various formats."""
