"""A search for better choices of recipes, kernel by kernel, whose result is a file for `build`."""

from .context import Context
from .cost_model import BoostedTrees, CostModel, RidgeRegression, default_model
from .database import Database, Row
from .joined_space import JoinedSpace, space_of
from .kernels import Kernel, kernels_of
from .list_space import ListSpace
from .measure import Limits, Measured, Measurer, ProcessMeasurer
from .module_search import Progress
from .result import Result, TunedKernel
from .revalidate import revalidate
from .samples import Samples
from .search import Evolution, Exhaustive, SearchStrategy, default_strategy
from .space import ParameterSpace, Space, Trace
from .tune import parse_budget, tune
from .user_lists import ListFunction, list_function, list_functions
from .workers import LocalWorkers, RayWorkers, RemoteWork, Settings, Task, Workers

__all__ = [
    "BoostedTrees",
    "Context",
    "CostModel",
    "Database",
    "Evolution",
    "Exhaustive",
    "JoinedSpace",
    "Kernel",
    "Limits",
    "ListFunction",
    "ListSpace",
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
    "list_function",
    "list_functions",
    "parse_budget",
    "revalidate",
    "space_of",
    "tune",
]
