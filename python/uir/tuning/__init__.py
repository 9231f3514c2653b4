"""A search for better choices of recipes, kernel by kernel, whose result is a file for `build`."""

from .context import Context
from .cost_model import BoostedTrees, CostModel, RidgeRegression, default_model
from .database import Database, Row
from .kernels import Kernel, kernels_of
from .measure import Limits, Measured, Measurer, ProcessMeasurer
from .module_search import Progress
from .result import Result, TunedKernel
from .samples import Samples
from .search import Evolution, Exhaustive, SearchStrategy, default_strategy
from .space import ParameterSpace, Space, Trace, space_of
from .tune import parse_budget, tune
from .workers import LocalWorkers, RayWorkers, RemoteWork, Settings, Task, Workers

__all__ = [
    "BoostedTrees",
    "Context",
    "CostModel",
    "Database",
    "Evolution",
    "Exhaustive",
    "Kernel",
    "Limits",
    "LocalWorkers",
    "Measured",
    "Measurer",
    "ParameterSpace",
    "ProcessMeasurer",
    "Progress",
    "RayWorkers",
    "RemoteWork",
    "Result",
    "RidgeRegression",
    "Row",
    "Samples",
    "SearchStrategy",
    "Settings",
    "Space",
    "Task",
    "Trace",
    "TunedKernel",
    "Workers",
    "default_model",
    "default_strategy",
    "kernels_of",
    "parse_budget",
    "space_of",
    "tune",
]
