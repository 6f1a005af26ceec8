"""A compiler for functions whose indices are never negative."""

from __future__ import annotations

from typing import Any

from numba.core import compiler, compiler_machinery, ir, typed_passes
from numba.core import types as numba_types

# What numba leaves untyped.
_pass: Any = compiler_machinery.FunctionPass
_register_pass: Any = compiler_machinery.register_pass
_builder: Any = compiler.DefaultPassBuilder
_types: Any = numba_types


@_register_pass(mutates_CFG=False, analysis_only=False)
class _IndicesAsTheyAre(_pass):  # type: ignore[misc]
    """A pass after which signed numbers that serve as indices count as unsigned ones."""

    _name = "solitaire_lab_indices_as_they_are"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                access = statement.value if isinstance(statement, ir.Assign) else statement
                indexes = isinstance(access, ir.SetItem) or (isinstance(access, ir.Expr) and access.op == "getitem")
                if indexes and access in state.calltypes:
                    signature = state.calltypes.pop(access)
                    array, index, *value = signature.args
                    state.calltypes[access] = signature.replace(args=(array, _unsigned(index), *value))
        return True


def _unsigned(index: Any) -> Any:
    """The type of an index, or of several, with unsigned numbers in place of signed ones."""
    if isinstance(index, _types.BaseTuple):
        return _types.Tuple([_unsigned(part) for part in index.types])
    return _types.uint64 if isinstance(index, _types.Integer) else index


class PlainIndices(compiler.CompilerBase):
    """Numba's compiler, but an index is taken as it is, never counted from the end.

    Numba compares every signed index with 0 to see whether it counts from the end. The kernel has no negative ones: the
    tests run it with bounds checked, where such an index is an error. Depth-first search of Canfield, Klondike and How
    They Run became 1.15 to 1.2 times as fast without these comparisons.
    """

    def define_pipelines(self) -> list[Any]:
        """Numba's passes and that one, after the types are known."""
        passes = _builder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_IndicesAsTheyAre, typed_passes.NopythonTypeInference)
        passes.finalize()
        return [passes]
