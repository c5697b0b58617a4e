"""A plain machine."""


def system():
    return "Linux"


def machine():
    return "x86_64"


def python_implementation():
    return "CPython"


def platform(*args):
    return "Linux-x86_64"
