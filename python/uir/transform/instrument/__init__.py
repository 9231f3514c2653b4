"""Instruments, which time, count, print, check and show passes."""

from .changes import PrintChanged, PrintDiff
from .dumping import DumpToFolder
from .explanation_page import write_explanation
from .explorer import Explorer
from .pass_stack import PassRun
from .printing import PrintAfter, PrintBefore
from .statistics import PassStatistics
from .timing import PassTiming
from .verifying import VerifyEach

__all__ = [
    "DumpToFolder",
    "Explorer",
    "PassRun",
    "PassStatistics",
    "PassTiming",
    "PrintAfter",
    "PrintBefore",
    "PrintChanged",
    "PrintDiff",
    "VerifyEach",
    "write_explanation",
]
