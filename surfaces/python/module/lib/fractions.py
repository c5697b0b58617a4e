"""Exact rational numbers."""
import math
import operator
import re
from decimal import Decimal
from numbers import Rational, Real, Complex

__all__ = ["Fraction"]

_MODULUS = 2**61 - 1

_literal = re.compile(r"""
    \s*(?P<sign>[-+]?)
    (?=\d|\.\d)
    (?P<whole>\d*|\d+(?:_\d+)*)
    (?:
        (?:\s*/\s*(?P<denominator>\d+(?:_\d+)*))?
    |
        (?:\.(?P<decimal>\d*|\d+(?:_\d+)*))?
        (?:E(?P<exponent>[-+]?\d+(?:_\d+)*))?
    )
    \s*\Z
""", re.VERBOSE | re.IGNORECASE)

_specification = re.compile(r"""
    (?:(?P<fill>.)?(?P<align>[<>=^]))?
    (?P<sign>[-+ ]?)
    (?P<no_negative_zero>z)?
    (?P<alternate>\#)?
    (?P<zeropad>0(?=[0-9]))?
    (?P<width>0|[1-9][0-9]*)?
    (?P<separator>[,_])?
    (?:\.(?P<precision>0|[1-9][0-9]*))?
    (?P<kind>[eEfFgG%])
""", re.DOTALL | re.VERBOSE)


def _rounded(n, d, exponent, drop_sign=False):
    """The nearest multiple of 10**exponent, ties to even: sign and magnitude."""
    if exponent >= 0:
        d *= 10**exponent
    else:
        n *= 10**-exponent
    q, r = divmod(n + (d >> 1), d)
    if r == 0 and d & 1 == 0:
        q &= -2
    return (q < 0 if drop_sign else n < 0), abs(q)


def _figures(n, d, figures):
    """A number with that many significant digits: sign, digits and exponent."""
    if n == 0:
        return False, 0, 1 - figures
    a, b = str(abs(n)), str(d)
    m = len(a) - len(b) + (b <= a)
    exponent = m - figures
    negative, digits = _rounded(n, d, exponent)
    if len(str(digits)) == figures + 1:
        digits //= 10
        exponent += 1
    return negative, digits, exponent


class Fraction(Rational):
    __slots__ = ("_numerator", "_denominator")

    def __new__(cls, numerator=0, denominator=None):
        self = super(Fraction, cls).__new__(cls)
        if denominator is None:
            if type(numerator) is int:
                self._numerator = numerator
                self._denominator = 1
                return self
            if isinstance(numerator, Rational):
                self._numerator = numerator.numerator
                self._denominator = numerator.denominator
                return self
            if isinstance(numerator, (float, Decimal)):
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            if not isinstance(numerator, str):
                raise TypeError("argument should be a string or a Rational instance")
            m = _literal.match(numerator)
            if m is None:
                raise ValueError("Invalid literal for Fraction: %r" % numerator)
            digits = int(m["whole"] or "0")
            if m["denominator"]:
                denominator = int(m["denominator"])
            else:
                denominator = 1
                if m["decimal"]:
                    decimal = m["decimal"].replace("_", "")
                    scale = 10**len(decimal)
                    digits = digits * scale + int(decimal)
                    denominator *= scale
                if m["exponent"]:
                    exponent = int(m["exponent"])
                    if exponent >= 0:
                        digits *= 10**exponent
                    else:
                        denominator *= 10**-exponent
            numerator = -digits if m["sign"] == "-" else digits
        elif type(numerator) is int is type(denominator):
            pass
        elif isinstance(numerator, Rational) and isinstance(denominator, Rational):
            numerator, denominator = numerator.numerator * denominator.denominator, denominator.numerator * numerator.denominator
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError("Fraction(%s, 0)" % numerator)
        g = math.gcd(numerator, denominator)
        if denominator < 0:
            g = -g
        self._numerator = numerator // g
        self._denominator = denominator // g
        return self

    @classmethod
    def _of(cls, numerator, denominator):
        self = super(Fraction, cls).__new__(cls)
        self._numerator = numerator
        self._denominator = denominator
        return self

    @classmethod
    def from_float(cls, f):
        if isinstance(f, int):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError("%s.from_float() only takes floats, not %r (%s)" % (cls.__name__, f, type(f).__name__))
        return cls._of(*f.as_integer_ratio())

    @classmethod
    def from_decimal(cls, dec):
        if isinstance(dec, int):
            dec = Decimal(int(dec))
        elif not isinstance(dec, Decimal):
            raise TypeError("%s.from_decimal() only takes Decimals, not %r (%s)" % (cls.__name__, dec, type(dec).__name__))
        return cls._of(*dec.as_integer_ratio())

    def is_integer(self):
        return self._denominator == 1

    def as_integer_ratio(self):
        return (self._numerator, self._denominator)

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        # Convergents of the continued fraction, until the bound is passed.
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        if 2 * d * (q0 + k * q1) <= self._denominator:
            return Fraction._of(p1, q1)
        return Fraction._of(p0 + k * p1, q0 + k * q1)

    @property
    def numerator(a):
        return a._numerator

    @property
    def denominator(a):
        return a._denominator

    def __repr__(self):
        return "%s(%s, %s)" % (self.__class__.__name__, self._numerator, self._denominator)

    def __str__(self):
        if self._denominator == 1:
            return str(self._numerator)
        return "%s/%s" % (self._numerator, self._denominator)

    def __format__(self, format_spec, /):
        if not format_spec:
            return str(self)
        m = _specification.fullmatch(format_spec)
        if m is None or m["align"] is not None and m["zeropad"] is not None:
            raise ValueError(f"Invalid format specifier {format_spec!r} for object of type {type(self).__name__!r}")
        fill = m["fill"] or " "
        align = m["align"] or ">"
        plus = "" if m["sign"] == "-" else m["sign"]
        alternate = bool(m["alternate"])
        zeropad = bool(m["zeropad"])
        least = int(m["width"] or "0")
        separator = m["separator"] or ""
        precision = int(m["precision"] or "6")
        kind = m["kind"]
        trim = kind in "gG" and not alternate
        mark = "E" if kind in "EFG" else "e"
        if kind in "fF%":
            exponent = -precision
            if kind == "%":
                exponent -= 2
            negative, digits = _rounded(self._numerator, self._denominator, exponent, bool(m["no_negative_zero"]))
            scientific = False
            point = precision
        else:
            figures = max(precision, 1) if kind in "gG" else precision + 1
            negative, digits, exponent = _figures(self._numerator, self._denominator, figures)
            scientific = kind in "eE" or exponent > 0 or exponent + figures <= -4
            point = figures - 1 if scientific else -exponent
        if kind == "%":
            suffix = "%"
        elif scientific:
            suffix = f"{mark}{exponent + point:+03d}"
        else:
            suffix = ""
        text = f"{digits:0{point + 1}d}"
        sign = "-" if negative else plus
        lead = text[:len(text) - point]
        rest = text[len(text) - point:]
        if trim:
            rest = rest.rstrip("0")
        dot = "." if rest or alternate else ""
        tail = dot + rest + suffix
        if zeropad:
            room = least - len(sign) - len(tail)
            lead = lead.zfill(3 * room // 4 + 1 if separator else room)
        if separator:
            first = 1 + (len(lead) - 1) % 3
            lead = lead[:first] + "".join(separator + lead[i:i + 3] for i in range(first, len(lead), 3))
        body = lead + tail
        padding = fill * (least - len(sign) - len(body))
        if align == ">":
            return padding + sign + body
        if align == "<":
            return sign + body + padding
        if align == "^":
            half = len(padding) // 2
            return padding[:half] + sign + body + padding[half:]
        return sign + padding + body

    def __add__(a, b):
        if isinstance(b, (int, Fraction)):
            return Fraction(a._numerator * b.denominator + b.numerator * a._denominator, a._denominator * b.denominator)
        return _forward(operator.add, a, b)

    def __radd__(b, a):
        if isinstance(a, Rational):
            return Fraction(a) + b
        return _reverse(operator.add, a, b)

    def __sub__(a, b):
        if isinstance(b, (int, Fraction)):
            return Fraction(a._numerator * b.denominator - b.numerator * a._denominator, a._denominator * b.denominator)
        return _forward(operator.sub, a, b)

    def __rsub__(b, a):
        if isinstance(a, Rational):
            return Fraction(a) - b
        return _reverse(operator.sub, a, b)

    def __mul__(a, b):
        if isinstance(b, (int, Fraction)):
            return Fraction(a._numerator * b.numerator, a._denominator * b.denominator)
        return _forward(operator.mul, a, b)

    def __rmul__(b, a):
        if isinstance(a, Rational):
            return Fraction(a) * b
        return _reverse(operator.mul, a, b)

    def __truediv__(a, b):
        if isinstance(b, (int, Fraction)):
            return _quotient(a, b)
        return _forward(operator.truediv, a, b)

    def __rtruediv__(b, a):
        if isinstance(a, Rational):
            return _quotient(Fraction(a), b)
        return _reverse(operator.truediv, a, b)

    def __floordiv__(a, b):
        if isinstance(b, (int, Fraction)):
            return (a._numerator * b.denominator) // (a._denominator * b.numerator)
        return _forward(operator.floordiv, a, b)

    def __rfloordiv__(b, a):
        if isinstance(a, Rational):
            return Fraction(a) // b
        return _reverse(operator.floordiv, a, b)

    def __mod__(a, b):
        if isinstance(b, (int, Fraction)):
            d1, d2 = a._denominator, b.denominator
            return Fraction((a._numerator * d2) % (b.numerator * d1), d1 * d2)
        return _forward(operator.mod, a, b)

    def __rmod__(b, a):
        if isinstance(a, Rational):
            return Fraction(a) % b
        return _reverse(operator.mod, a, b)

    def __divmod__(a, b):
        if isinstance(b, (int, Fraction)):
            return _divided(a, b)
        return _forward(divmod, a, b)

    def __rdivmod__(b, a):
        if isinstance(a, Rational):
            return _divided(Fraction(a), b)
        return _reverse(divmod, a, b)

    def __pow__(a, b):
        if not isinstance(b, Rational):
            return float(a) ** b
        if b.denominator != 1:
            return float(a) ** float(b)
        power = b.numerator
        if power >= 0:
            return Fraction._of(a._numerator**power, a._denominator**power)
        if a._numerator > 0:
            return Fraction._of(a._denominator**-power, a._numerator**-power)
        if a._numerator == 0:
            raise ZeroDivisionError("Fraction(%s, 0)" % a._denominator**-power)
        return Fraction._of((-a._denominator)**-power, (-a._numerator)**-power)

    def __rpow__(b, a):
        if b._denominator == 1 and b._numerator >= 0:
            return a**b._numerator
        if isinstance(a, Rational):
            return Fraction(a.numerator, a.denominator)**b
        if b._denominator == 1:
            return a**b._numerator
        return a**float(b)

    def __pos__(a):
        return Fraction._of(a._numerator, a._denominator)

    def __neg__(a):
        return Fraction._of(-a._numerator, a._denominator)

    def __abs__(a):
        return Fraction._of(abs(a._numerator), a._denominator)

    def __int__(a):
        if a._numerator < 0:
            return -(-a._numerator // a._denominator)
        return a._numerator // a._denominator

    __trunc__ = __int__

    def __floor__(a):
        return a._numerator // a._denominator

    def __ceil__(a):
        return -(-a._numerator // a._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            d = self._denominator
            floor, rest = divmod(self._numerator, d)
            if rest * 2 < d or rest * 2 == d and floor % 2 == 0:
                return floor
            return floor + 1
        shift = 10**abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __hash__(self):
        try:
            inverse = pow(self._denominator, -1, _MODULUS)
        except ValueError:
            h = 314159
        else:
            h = hash(hash(abs(self._numerator)) * inverse)
        result = h if self._numerator >= 0 else -h
        return -2 if result == -1 else result

    def __eq__(a, b):
        if type(b) is int:
            return a._numerator == b and a._denominator == 1
        if isinstance(b, Rational):
            return a._numerator == b.numerator and a._denominator == b.denominator
        if isinstance(b, Complex) and b.imag == 0:
            b = b.real
        if isinstance(b, float):
            if math.isnan(b) or math.isinf(b):
                return 0.0 == b
            return a == a.from_float(b)
        return NotImplemented

    def __lt__(a, b):
        return _compared(a, b, operator.lt)

    def __gt__(a, b):
        return _compared(a, b, operator.gt)

    def __le__(a, b):
        return _compared(a, b, operator.le)

    def __ge__(a, b):
        return _compared(a, b, operator.ge)

    def __bool__(a):
        return bool(a._numerator)

    def __copy__(self):
        if type(self) == Fraction:
            return self
        return self.__class__(self._numerator, self._denominator)

    def __deepcopy__(self, memo):
        return self.__copy__()


def _forward(operation, a, b):
    if isinstance(b, float):
        return operation(float(a), b)
    if isinstance(b, complex):
        return operation(complex(a), b)
    return NotImplemented


def _reverse(operation, a, b):
    if isinstance(a, Real):
        return operation(float(a), float(b))
    if isinstance(a, Complex):
        return operation(complex(a), complex(b))
    return NotImplemented


def _quotient(a, b):
    n, d = a._numerator * b.denominator, a._denominator * b.numerator
    return Fraction(n, d)


def _divided(a, b):
    n1, d1, n2, d2 = a._numerator, a._denominator, b.numerator, b.denominator
    q, r = divmod(n1 * d2, n2 * d1)
    return q, Fraction(r, d1 * d2)


def _compared(a, b, operation):
    if isinstance(b, Rational):
        return operation(a._numerator * b.denominator, a._denominator * b.numerator)
    if isinstance(b, float):
        if math.isnan(b) or math.isinf(b):
            return operation(0.0, b)
        return operation(a, a.from_float(b))
    return NotImplemented
