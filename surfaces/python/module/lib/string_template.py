"""Texts with places for values, marked by a dollar sign."""
import re
from collections import ChainMap
from _native import own_names

__all__ = ["Template"]


class Template:
    delimiter = "$"
    idpattern = r"(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None
    flags = re.IGNORECASE

    def __init_subclass__(cls):
        super().__init_subclass__()
        _prepare(cls)

    def __init__(self, template):
        self.template = template

    def _invalid(self, mo):
        i = mo.start("invalid")
        lines = self.template[:i].splitlines(keepends=True)
        if not lines:
            column, line = 1, 1
        else:
            column = i - len("".join(lines[:-1]))
            line = len(lines)
        raise ValueError("Invalid placeholder in string: line %d, col %d" % (line, column))

    def substitute(self, mapping={}, /, **kws):
        if kws:
            mapping = ChainMap(kws, mapping) if mapping else kws

        def convert(mo):
            named = mo.group("named") or mo.group("braced")
            if named is not None:
                return str(mapping[named])
            if mo.group("escaped") is not None:
                return self.delimiter
            if mo.group("invalid") is not None:
                self._invalid(mo)
            raise ValueError("Unrecognized named group in pattern", self.pattern)
        return self.pattern.sub(convert, self.template)

    def safe_substitute(self, mapping={}, /, **kws):
        if kws:
            mapping = ChainMap(kws, mapping) if mapping else kws

        def convert(mo):
            named = mo.group("named") or mo.group("braced")
            if named is not None:
                try:
                    return str(mapping[named])
                except KeyError:
                    return mo.group()
            if mo.group("escaped") is not None:
                return self.delimiter
            if mo.group("invalid") is not None:
                return mo.group()
            raise ValueError("Unrecognized named group in pattern", self.pattern)
        return self.pattern.sub(convert, self.template)

    def is_valid(self):
        for mo in self.pattern.finditer(self.template):
            if mo.group("invalid") is not None:
                return False
            if mo.group("named") is None and mo.group("braced") is None and mo.group("escaped") is None:
                raise ValueError("Unrecognized named group in pattern", self.pattern)
        return True

    def get_identifiers(self):
        ids = []
        for mo in self.pattern.finditer(self.template):
            named = mo.group("named") or mo.group("braced")
            if named is not None and named not in ids:
                ids.append(named)
            elif named is None and mo.group("invalid") is None and mo.group("escaped") is None:
                raise ValueError("Unrecognized named group in pattern", self.pattern)
        return ids


def _prepare(cls):
    if "pattern" in own_names(cls):
        pattern = cls.pattern
    else:
        delim = re.escape(cls.delimiter)
        bid = cls.braceidpattern or cls.idpattern
        pattern = rf"{delim}(?:(?P<escaped>{delim})|(?P<named>{cls.idpattern})|{{(?P<braced>{bid})}}|(?P<invalid>))"
    cls.pattern = re.compile(pattern, cls.flags | re.VERBOSE)


_prepare(Template)
