"""Workers, which measure candidates on this machine or on many."""

from .local import LocalWorkers
from .workers import Settings, Task, Workers

__all__ = ["LocalWorkers", "Settings", "Task", "Workers"]
