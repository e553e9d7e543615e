"""What a plan, a project or an edit of its spec says to people and programs.

Values and lines only: nothing here reads a disk or prints.
"""

from interceptgen.report.changes import describe_changes
from interceptgen.report.diff import as_diff, step_diff
from interceptgen.report.explain import ExplainError, explain
from interceptgen.report.findings import Finding, findings, is_news
from interceptgen.report.github import as_annotations, spec_annotations
from interceptgen.report.lines import as_json, as_lines, conflict_lines

__all__ = [
    "ExplainError",
    "Finding",
    "as_annotations",
    "as_diff",
    "as_json",
    "as_lines",
    "conflict_lines",
    "describe_changes",
    "explain",
    "findings",
    "is_news",
    "spec_annotations",
    "step_diff",
]
