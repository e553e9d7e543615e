"""Tests that prove the spec, offline; rewritten with it."""
