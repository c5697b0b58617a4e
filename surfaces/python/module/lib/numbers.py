"""The classes that kinds of numbers belong to."""
from abc import ABC
from _native import virtual
from decimal import Decimal

__all__ = ["Number", "Complex", "Real", "Rational", "Integral"]


class Number(ABC):
    pass


class Complex(Number):
    def __bool__(self):
        return self != 0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other


class Real(Complex):
    def __divmod__(self, other):
        return (self // other, self % other)

    def __rdivmod__(self, other):
        return (other // self, other % self)

    def __complex__(self):
        return complex(float(self))

    @property
    def real(self):
        return +self

    @property
    def imag(self):
        return 0

    def conjugate(self):
        return +self


class Rational(Real):
    def __float__(self):
        return int(self.numerator) / int(self.denominator)


class Integral(Rational):
    def __int__(self):
        return self.__index__()

    @property
    def numerator(self):
        return +self

    @property
    def denominator(self):
        return 1


virtual(Number, (), (int, float, complex, Decimal))
virtual(Complex, (), (int, float, complex))
virtual(Real, (), (int, float))
virtual(Rational, (), (int,))
virtual(Integral, (), (int,))
