"""Tests of Flagfall, one folder a room."""
