"""Nodes."""

from schema.ir.expr import ExpNode
from schema.ir.exp import ExprNode
from schema.tir.expr import StmtNode
