"""Nodes."""

import os

from numpy import array
from other.schema.ir.expr import ExprNode
from tschema import Object, declared, ty
from tschema.ty import int46_t
