"""Workers, which measure candidates on this machine or on many."""

from .cluster import RayWorkers
from .jobs import Jobs
from .local import LocalWorkers
from .workers import Settings, Task, Workers

__all__ = ["Jobs", "LocalWorkers", "RayWorkers", "Settings", "Task", "Workers"]
