"""Tests of the machine player."""
