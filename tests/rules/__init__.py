"""Tests of the law, its data and its arrays."""
