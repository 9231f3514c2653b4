"""A search for better choices of recipes, kernel by kernel, whose result is a file for `build`."""

from uir_nodes.tuning import CostModelFunctions, SearchStrategyFunctions, SpaceFunctions

from .chains import Chain, LayoutSpace, chains_of
from .context import Context
from .cost_model import BoostedTrees, CostModel, RidgeRegression, default_model
from .database import Database, Row
from .joined_space import JoinedSpace, space_of
from .kernels import Kernel, kernels_of
from .list_space import ListSpace
from .loop_features import feature_names, loop_features
from .measure import Limits, Measured, Measurer, ProcessMeasurer
from .module_search import Progress
from .registry import make_cost_model, make_strategy, register_cost_model, register_strategy
from .result import Result, TunedKernel
from .revalidate import revalidate
from .samples import Samples
from .search import SearchStrategy, default_strategy, evolution, exhaustive
from .space import ParameterSpace, Space, Trace
from .tune import parse_budget, tune
from .user_lists import ListFunction, list_function, list_functions
from .workers import LocalWorkers, RayWorkers, RemoteWork, Settings, Task, Workers

__all__ = [
    "BoostedTrees",
    "Chain",
    "Context",
    "CostModel",
    "CostModelFunctions",
    "Database",
    "JoinedSpace",
    "Kernel",
    "LayoutSpace",
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
    "SearchStrategyFunctions",
    "Settings",
    "Space",
    "SpaceFunctions",
    "Task",
    "Trace",
    "TunedKernel",
    "Workers",
    "chains_of",
    "default_model",
    "default_strategy",
    "evolution",
    "exhaustive",
    "feature_names",
    "kernels_of",
    "list_function",
    "list_functions",
    "loop_features",
    "make_cost_model",
    "make_strategy",
    "parse_budget",
    "register_cost_model",
    "register_strategy",
    "revalidate",
    "space_of",
    "tune",
]
