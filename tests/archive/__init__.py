"""Tests of old and foreign files, and of the library."""
