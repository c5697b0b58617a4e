"""The base of CPython's tests of json: there is one implementation here."""
import json
import unittest
from json import JSONDecodeError


class PyTest(unittest.TestCase):
    json = json
    loads = staticmethod(json.loads)
    dumps = staticmethod(json.dumps)
    JSONDecodeError = staticmethod(JSONDecodeError)


class CTest(unittest.TestCase):
    def setUp(self):
        raise unittest.SkipTest("there is one implementation")
