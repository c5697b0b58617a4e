"""Tables as text with separators."""
from io import StringIO

__all__ = ["QUOTE_MINIMAL", "QUOTE_ALL", "QUOTE_NONNUMERIC", "QUOTE_NONE", "QUOTE_STRINGS", "QUOTE_NOTNULL", "Error", "Dialect", "excel", "excel_tab", "unix_dialect",
           "reader", "writer", "DictReader", "DictWriter", "register_dialect", "get_dialect", "list_dialects", "unregister_dialect", "field_size_limit"]

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE, QUOTE_STRINGS, QUOTE_NOTNULL = range(6)


class Error(Exception):
    pass


class Dialect:
    delimiter = ","
    quotechar = '"'
    escapechar = None
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL
    strict = False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    quoting = QUOTE_ALL
    lineterminator = "\n"


_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}
_names = ("delimiter", "quotechar", "escapechar", "doublequote", "skipinitialspace", "lineterminator", "quoting", "strict")


class _Format:
    """The settings of a reader or writer, checked."""
    def __init__(self, dialect, options):
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name in _names:
            setattr(self, name, getattr(dialect, name, getattr(Dialect, name)))
        for name, value in options.items():
            if name not in _names:
                raise TypeError(f"'{name}' is an invalid keyword argument for this function")
            setattr(self, name, value)
        for name in ("delimiter", "escapechar", "quotechar"):
            value = getattr(self, name)
            if value is None and name != "delimiter":
                continue
            if not isinstance(value, str):
                kinds = "string" if name == "delimiter" else "string or None"
                raise TypeError(f'"{name}" must be {kinds}, not {type(value).__name__}')
            if len(value) != 1:
                raise TypeError(f'"{name}" must be a 1-character string')
        if not isinstance(self.quoting, int):
            raise TypeError('"quoting" must be an integer, not ' + type(self.quoting).__name__)
        if not 0 <= self.quoting <= 5:
            raise TypeError('bad "quoting" value')
        if self.quotechar is None and self.quoting != QUOTE_NONE:
            if "quoting" in options:
                raise TypeError("quotechar must be set if quoting enabled")
            self.quoting = QUOTE_NONE
        if self.lineterminator is None:
            raise TypeError('"lineterminator" must be set')


def register_dialect(name, dialect=excel, **options):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    f = _Format(dialect, options)
    _dialects[name] = f


def unregister_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    try:
        return _dialects[name]
    except KeyError:
        raise Error("unknown dialect") from None


def list_dialects():
    return list(_dialects)


_limit = 131072


def field_size_limit(new=None):
    global _limit
    old = _limit
    if new is not None:
        _limit = new
    return old


class _reader:
    def __init__(self, iterable, dialect="excel", **options):
        self.dialect = _Format(dialect, options)
        self._lines = iter(iterable)
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        d = self.dialect
        delimiter, quote, escape = d.delimiter, d.quotechar, d.escapechar
        numeric = d.quoting == QUOTE_NONNUMERIC
        quoting = d.quoting != QUOTE_NONE
        fields = []
        field = []
        quoted = False   # the field began with a quote
        state = "start"  # of a record; field, quoted, after (a quote inside quotes), escaped, escaped-quoted

        def save():
            text = "".join(field)
            field.clear()
            fields.append(float(text) if numeric and not quoted else text)

        while True:
            try:
                line = next(self._lines)
            except StopIteration:
                if state == "start":
                    raise
                if state in ("quoted", "escaped", "escaped-quoted"):
                    if d.strict:
                        raise Error("unexpected end of data") from None
                    if state == "escaped":
                        field.append("\n")
                save()
                return fields
            if not isinstance(line, str):
                raise Error(f"iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)")
            self.line_num += 1
            ended = False
            for i, c in enumerate(line):
                if ended:
                    if c in "\r\n":
                        continue
                    raise Error("new-line character seen in unquoted field - do you need to open the file in universal-newline mode?")
                if state == "start":
                    if c in "\r\n":
                        ended = True
                        continue
                    state = "begin"
                if state == "begin":
                    quoted = False
                    if c in "\r\n":
                        save()
                        ended, state = True, "start"
                    elif c == quote and quoting:
                        quoted, state = True, "quoted"
                    elif c == escape:
                        state = "escaped"
                    elif c == " " and d.skipinitialspace:
                        pass
                    elif c == delimiter:
                        save()
                    else:
                        field.append(c)
                        state = "field"
                elif state == "field":
                    if c in "\r\n":
                        save()
                        ended, state = True, "start"
                    elif c == escape:
                        state = "escaped"
                    elif c == delimiter:
                        save()
                        state = "begin"
                    else:
                        field.append(c)
                elif state == "quoted":
                    if c == escape:
                        state = "escaped-quoted"
                    elif c == quote:
                        state = "after" if d.doublequote else "field"
                    else:
                        field.append(c)
                elif state == "after":
                    if c == quote:
                        field.append(c)
                        state = "quoted"
                    elif c == delimiter:
                        save()
                        state = "begin"
                    elif c in "\r\n":
                        save()
                        ended, state = True, "start"
                    elif d.strict:
                        raise Error(f"'{delimiter}' expected after '{quote}'")
                    else:
                        field.append(c)
                        state = "field"
                else:
                    field.append(c)
                    state = "field" if state == "escaped" else "quoted"
                if len(field) > _limit:
                    raise Error(f"field larger than field limit ({_limit})")
            if ended:
                return fields
            if state == "quoted" or state == "escaped-quoted":
                continue
            if state == "escaped":
                field.append("\n")
                state = "field"
                continue
            if state == "start":
                return fields
            if state in ("begin", "field", "after"):
                save()
                return fields


def reader(iterable, dialect="excel", **options):
    return _reader(iterable, dialect, **options)


class _writer:
    def __init__(self, fileobj, dialect="excel", **options):
        if not hasattr(fileobj, "write"):
            raise TypeError('argument 1 must have a "write" method')
        self.dialect = _Format(dialect, options)
        self._write = fileobj.write

    def _field(self, v, alone):
        d = self.dialect
        quoting = d.quoting
        number = isinstance(v, (int, float, complex))
        if v is None:
            text = ""
        elif isinstance(v, str):
            text = v
        else:
            text = str(v)
        quoted = quoting == QUOTE_ALL or quoting == QUOTE_NONNUMERIC and not number or quoting == QUOTE_STRINGS and isinstance(v, str) or quoting == QUOTE_NOTNULL and v is not None
        out = []
        for c in text:
            if c == d.delimiter or c == d.escapechar or c == d.quotechar or c in "\r\n" or c in d.lineterminator:
                escaped = False
                if quoting == QUOTE_NONE:
                    escaped = True
                else:
                    if c == d.quotechar:
                        if d.doublequote:
                            out.append(c)
                        else:
                            escaped = True
                    elif c == d.escapechar:
                        escaped = True
                    if not escaped:
                        quoted = True
                if escaped:
                    if d.escapechar is None:
                        raise Error("need to escape, but no escapechar set")
                    out.append(d.escapechar)
            out.append(c)
        if not text and alone:
            if quoting == QUOTE_NONE or quoting in (QUOTE_STRINGS, QUOTE_NOTNULL) and v is None:
                raise Error("single empty field record must be quoted")
            quoted = True
        if not text and not alone and d.delimiter == " " and d.skipinitialspace:
            quoted = True
        text = "".join(out)
        return d.quotechar + text + d.quotechar if quoted else text

    def writerow(self, row):
        try:
            row = list(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        alone = len(row) == 1
        return self._write(self.dialect.delimiter.join([self._field(v, alone) for v in row]) + self.dialect.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def writer(fileobj, dialect="excel", **options):
    return _writer(fileobj, dialect, **options)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames = fieldnames
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            try:
                self._fieldnames = next(self.reader)
            except StopIteration:
                pass
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        d = dict(zip(self.fieldnames, row))
        lf, lr = len(self.fieldnames), len(row)
        if lf < lr:
            d[self.restkey] = row[lf:]
        elif lf > lr:
            for key in self.fieldnames[lr:]:
                d[key] = self.restval
        return d


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self.fieldnames = fieldnames
        self.restval = restval
        extrasaction = extrasaction.lower()
        if extrasaction not in ("raise", "ignore"):
            raise ValueError("extrasaction (%s) must be 'raise' or 'ignore'" % extrasaction)
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _values(self, row):
        if self.extrasaction == "raise":
            wrong = [k for k in row if k not in self.fieldnames]
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join([repr(x) for x in wrong]))
        return (row.get(key, self.restval) for key in self.fieldnames)

    def writerow(self, row):
        return self.writer.writerow(self._values(row))

    def writerows(self, rows):
        return self.writer.writerows(map(self._values, rows))
