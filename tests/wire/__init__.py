"""Tests of what crosses a process border."""
