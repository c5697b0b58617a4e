"""No warning is ever given."""
import contextlib

filters = []


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, **kwargs):
        self.record = record

    def __enter__(self):
        if self.record:
            from unittest import SkipTest
            raise SkipTest("needs warnings")

    def __exit__(self, *args):
        return False


def simplefilter(*args, **kwargs):
    pass


def filterwarnings(*args, **kwargs):
    pass


def resetwarnings():
    pass


def warn(*args, **kwargs):
    pass
