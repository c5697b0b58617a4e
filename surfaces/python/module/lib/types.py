"""The classes of functions, modules and such, and SimpleNamespace."""
import _native
from _native import mappingproxy as MappingProxyType, UnionType, GenericAlias

__all__ = ["SimpleNamespace", "MappingProxyType", "FunctionType", "LambdaType", "GeneratorType", "CoroutineType", "MethodType", "BuiltinFunctionType",
           "BuiltinMethodType", "ModuleType", "NoneType", "NotImplementedType", "EllipsisType", "UnionType", "GenericAlias", "DynamicClassAttribute", "new_class"]


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        vars(self).update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{name}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"

    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return vars(self) == vars(other)
        return NotImplemented

    __hash__ = None


def _function():
    yield


async def _coroutine():
    pass


class _Class:
    def method(self):
        pass


FunctionType = LambdaType = type(_function)
GeneratorType = type(_function())
_waiting = _coroutine()
CoroutineType = type(_waiting)
_waiting.close()
MethodType = type(_Class().method)
BuiltinFunctionType = BuiltinMethodType = type(len)
ModuleType = type(_native)
NoneType = type(None)
NotImplementedType = type(NotImplemented)
EllipsisType = type(Ellipsis)
DynamicClassAttribute = property


def new_class(name, bases=(), kwds=None, exec_body=None):
    ns = {}
    if exec_body is not None:
        exec_body(ns)
    return type(name, tuple(bases), ns)
