"""Machines against machines: matches, schedules, ratings and reports."""
