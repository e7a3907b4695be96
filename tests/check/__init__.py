"""Tests of what proves the house."""
