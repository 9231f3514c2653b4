"""Workers, which measure candidates on this machine or on many."""

from .cluster import RayWorkers
from .local import LocalWorkers
from .remote_work import RemoteWork
from .workers import Settings, Task, Workers

__all__ = ["LocalWorkers", "RayWorkers", "RemoteWork", "Settings", "Task", "Workers"]
