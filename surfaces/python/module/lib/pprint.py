"""Values over several lines, as wide as they may be."""
import collections
import dataclasses
import re
import types
from io import StringIO

__all__ = ["pprint", "pformat", "isreadable", "isrecursive", "saferepr", "PrettyPrinter", "pp"]


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    PrettyPrinter(stream=stream, indent=indent, width=width, depth=depth, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pprint(object)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent=indent, width=width, depth=depth, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pformat(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._safe_repr(object, {}, None, 0)[0]


def isreadable(object):
    return PrettyPrinter()._safe_repr(object, {}, None, 0)[1]


def isrecursive(object):
    return PrettyPrinter()._safe_repr(object, {}, None, 0)[2]


class _key:
    """Orders values of any types: by themselves where they compare, else by type."""
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            return (str(type(self.value)), id(self.value)) < (str(type(other.value)), id(other.value))


def _pair_key(pair):
    return _key(pair[0]), _key(pair[1])


def _recursion(object):
    return "<Recursion on %s with id=%s>" % (type(object).__name__, id(object))


_brackets = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}"), frozenset: ("frozenset({", "})")}


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        indent = int(indent)
        width = int(width)
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._depth = depth
        self._indent_per_level = indent
        self._width = width
        self._stream = stream
        self._compact = bool(compact)
        self._sort_dicts = sort_dicts
        self._underscore_numbers = underscore_numbers

    def pprint(self, object):
        text = self.pformat(object)
        if self._stream is None:
            print(text)
        else:
            self._stream.write(text)
            self._stream.write("\n")

    def pformat(self, object):
        out = []
        self._format(object, out.append, 0, 0, {}, 0)
        return "".join(out)

    def isrecursive(self, object):
        return self.format(object, {}, 0, 0)[2]

    def isreadable(self, object):
        s, readable, recursive = self.format(object, {}, 0, 0)
        return readable and not recursive

    def format(self, object, context, maxlevels, level):
        return self._safe_repr(object, context, maxlevels, level)

    def _repr(self, object, context, level):
        return self.format(object, context.copy(), self._depth, level)[0]

    def _format(self, object, write, indent, allowance, context, level):
        me = id(object)
        if me in context:
            write(_recursion(object))
            return
        text = self._repr(object, context, level)
        if len(text) > self._width - indent - allowance:
            method = self._method(object)
            if method is not None:
                context[me] = 1
                method(object, write, indent, allowance, context, level + 1)
                del context[me]
                return
            if (dataclasses.is_dataclass(object) and not isinstance(object, type) and not hasattr(type(object), "_fields")
                    and not isinstance(type(object).__repr__, types.FunctionType)):
                context[me] = 1
                self._dataclass(object, write, indent, allowance, context, level + 1)
                del context[me]
                return
        write(text)

    def _method(self, object):
        cls = type(object)
        r = cls.__repr__
        if r == dict.__repr__ or cls is dict:
            return self._dict
        for base, method in ((collections.OrderedDict, self._ordered), (list, self._list), (tuple, self._tuple), (set, self._set), (frozenset, self._set), (str, self._str),
                             (bytes, self._bytes), (types.MappingProxyType, self._proxy), (types.SimpleNamespace, self._namespace), (collections.defaultdict, self._default),
                             (collections.Counter, self._counter), (collections.ChainMap, self._chain), (collections.deque, self._deque)):
            if cls is base or isinstance(object, base) and r == base.__repr__:
                return method
        return None

    def _dataclass(self, object, write, indent, allowance, context, level):
        name = object.__class__.__name__
        indent += len(name) + 1
        items = [(f.name, getattr(object, f.name)) for f in dataclasses.fields(object) if f.repr]
        write(name + "(")
        self._attributes(items, write, indent, allowance, context, level)
        write(")")

    def _dict(self, object, write, indent, allowance, context, level):
        write("{")
        if self._indent_per_level > 1:
            write((self._indent_per_level - 1) * " ")
        if len(object):
            items = sorted(object.items(), key=_pair_key) if self._sort_dicts else object.items()
            self._dict_items(items, write, indent, allowance + 1, context, level)
        write("}")

    def _ordered(self, object, write, indent, allowance, context, level):
        if not len(object):
            write(repr(object))
            return
        name = object.__class__.__name__
        write(name + "(")
        self._items(list(object.items()), write, indent + len(name) + 1, allowance + 1, context, level, "[", "]")
        write(")")

    def _list(self, object, write, indent, allowance, context, level):
        self._items(object, write, indent, allowance, context, level, "[", "]")

    def _tuple(self, object, write, indent, allowance, context, level):
        self._items(object, write, indent, allowance, context, level, "(", ",)" if len(object) == 1 else ")")

    def _items(self, object, write, indent, allowance, context, level, start, end):
        write(start)
        if self._indent_per_level > 1:
            write((self._indent_per_level - 1) * " ")
        self._sequence(object, write, indent + len(start) - 1, allowance + len(end), context, level)
        write(end)

    def _set(self, object, write, indent, allowance, context, level):
        if not len(object):
            write(repr(object))
            return
        cls = object.__class__
        if cls is set:
            start, end = "{", "}"
        else:
            start, end = cls.__name__ + "({", "})"
            indent += len(cls.__name__) + 1
        write(start)
        if self._indent_per_level > 1:
            write((self._indent_per_level - 1) * " ")
        self._sequence(sorted(object, key=_key), write, indent, allowance + len(end), context, level)
        write(end)

    def _str(self, object, write, indent, allowance, context, level):
        if not len(object):
            write(repr(object))
            return
        chunks = []
        lines = object.splitlines(True)
        if level == 1:
            indent += 1
            allowance += 1
        most = room = self._width - indent
        text = ""
        for i, line in enumerate(lines):
            text = repr(line)
            if i == len(lines) - 1:
                room -= allowance
            if len(text) <= room:
                chunks.append(text)
                continue
            parts = re.findall(r"\S*\s*", line)
            parts.pop()
            last = len(parts) - 1
            width = most
            current = ""
            for j, part in enumerate(parts):
                candidate = current + part
                if j == last and i == len(lines) - 1:
                    width -= allowance
                if len(repr(candidate)) > width:
                    if current:
                        chunks.append(repr(current))
                    current = part
                else:
                    current = candidate
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            write(text)
            return
        if level == 1:
            write("(")
        for i, chunk in enumerate(chunks):
            if i > 0:
                write("\n" + " " * indent)
            write(chunk)
        if level == 1:
            write(")")

    def _bytes(self, object, write, indent, allowance, context, level):
        if len(object) <= 4:
            write(repr(object))
            return
        outer = level == 1
        if outer:
            indent += 1
            allowance += 1
            write("(")
        delim = ""
        for text in self._byte_chunks(object, self._width - indent, allowance):
            write(delim)
            write(text)
            if not delim:
                delim = "\n" + " " * indent
        if outer:
            write(")")

    def _byte_chunks(self, object, width, allowance):
        current = b""
        last = len(object) // 4 * 4
        for i in range(0, len(object), 4):
            part = object[i:i + 4]
            candidate = current + part
            if i == last:
                width -= allowance
            if len(repr(candidate)) > width:
                if current:
                    yield repr(current)
                current = part
            else:
                current = candidate
        if current:
            yield repr(current)

    def _proxy(self, object, write, indent, allowance, context, level):
        write("mappingproxy(")
        self._format(object.copy(), write, indent + 13, allowance + 1, context, level)
        write(")")

    def _namespace(self, object, write, indent, allowance, context, level):
        name = "namespace" if type(object) is types.SimpleNamespace else object.__class__.__name__
        indent += len(name) + 1
        write(name + "(")
        self._attributes(vars(object).items(), write, indent, allowance, context, level)
        write(")")

    def _dict_items(self, items, write, indent, allowance, context, level):
        indent += self._indent_per_level
        items = list(items)
        for i, (key, value) in enumerate(items):
            last = i == len(items) - 1
            text = self._repr(key, context, level)
            write(text)
            write(": ")
            self._format(value, write, indent + len(text) + 2, allowance if last else 1, context, level)
            if not last:
                write(",\n" + " " * indent)

    def _attributes(self, items, write, indent, allowance, context, level):
        items = list(items)
        for i, (key, value) in enumerate(items):
            last = i == len(items) - 1
            write(key)
            write("=")
            if id(value) in context:
                write("...")
            else:
                self._format(value, write, indent + len(key) + 1, allowance if last else 1, context, level)
            if not last:
                write(",\n" + " " * indent)

    def _sequence(self, items, write, indent, allowance, context, level):
        indent += self._indent_per_level
        newline = ",\n" + " " * indent
        delim = ""
        most = width = self._width - indent + 1
        items = list(items)
        for i, item in enumerate(items):
            if i == len(items) - 1:
                most -= allowance
                width -= allowance
            if self._compact:
                text = self._repr(item, context, level)
                w = len(text) + 2
                if width < w:
                    width = most
                    if delim:
                        delim = newline
                if width >= w:
                    width -= w
                    write(delim)
                    delim = ", "
                    write(text)
                    continue
            write(delim)
            delim = newline
            self._format(item, write, indent, allowance if i == len(items) - 1 else 1, context, level)

    def _default(self, object, write, indent, allowance, context, level):
        if not len(object):
            write(repr(object))
            return
        factory = self._repr(object.default_factory, context, level)
        name = object.__class__.__name__
        indent += len(name) + 1
        write("%s(%s,\n%s" % (name, factory, " " * indent))
        self._dict(object, write, indent, allowance + 1, context, level)
        write(")")

    def _counter(self, object, write, indent, allowance, context, level):
        if not len(object):
            write(repr(object))
            return
        name = object.__class__.__name__
        write(name + "({")
        if self._indent_per_level > 1:
            write((self._indent_per_level - 1) * " ")
        self._dict_items(object.most_common(), write, indent + len(name) + 1, allowance + 2, context, level)
        write("})")

    def _chain(self, object, write, indent, allowance, context, level):
        if not len(object.maps):
            write(repr(object))
            return
        name = object.__class__.__name__
        write(name + "(")
        indent += len(name) + 1
        for i, m in enumerate(object.maps):
            if i == len(object.maps) - 1:
                self._format(m, write, indent, allowance + 1, context, level)
                write(")")
            else:
                self._format(m, write, indent, 1, context, level)
                write(",\n" + " " * indent)

    def _deque(self, object, write, indent, allowance, context, level):
        if not len(object):
            write(repr(object))
            return
        name = object.__class__.__name__
        write(name + "(")
        indent += len(name) + 1
        write("[")
        if object.maxlen is None:
            self._sequence(object, write, indent, allowance + 2, context, level)
            write("])")
        else:
            self._sequence(object, write, indent, 2, context, level)
            write("],\n%smaxlen=%s)" % (" " * indent, self._repr(object.maxlen, context, level)))

    def _safe_repr(self, object, context, maxlevels, level):
        cls = type(object)
        if cls in (str, bytes, float, complex, bool, type(None)):
            return repr(object), True, False
        if isinstance(object, int) and cls.__repr__ == int.__repr__:
            return (f"{object:_d}" if self._underscore_numbers else repr(object)), True, False
        r = cls.__repr__
        if isinstance(object, dict) and r == dict.__repr__:
            if not object:
                return "{}", True, False
            me = id(object)
            if maxlevels and level >= maxlevels:
                return "{...}", False, me in context
            if me in context:
                return _recursion(object), False, True
            context[me] = 1
            readable, recursive = True, False
            parts = []
            items = sorted(object.items(), key=_pair_key) if self._sort_dicts else object.items()
            for k, v in items:
                a, r1, c1 = self.format(k, context, maxlevels, level + 1)
                b, r2, c2 = self.format(v, context, maxlevels, level + 1)
                parts.append(a + ": " + b)
                readable = readable and r1 and r2
                recursive = recursive or c1 or c2
            del context[me]
            return "{" + ", ".join(parts) + "}", readable, recursive
        if isinstance(object, list) and r == list.__repr__ or isinstance(object, tuple) and r == tuple.__repr__:
            if isinstance(object, list):
                if not object:
                    return "[]", True, False
                form = "[%s]"
            elif len(object) == 1:
                form = "(%s,)"
            else:
                if not object:
                    return "()", True, False
                form = "(%s)"
            me = id(object)
            if maxlevels and level >= maxlevels:
                return form % "...", False, me in context
            if me in context:
                return _recursion(object), False, True
            context[me] = 1
            readable, recursive = True, False
            parts = []
            for o in object:
                a, r1, c1 = self.format(o, context, maxlevels, level + 1)
                parts.append(a)
                readable = readable and r1
                recursive = recursive or c1
            del context[me]
            return form % ", ".join(parts), readable, recursive
        text = repr(object)
        return text, bool(text) and not text.startswith("<"), False
