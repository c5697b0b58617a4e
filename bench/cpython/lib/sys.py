"""What CPython's test files ask of the interpreter."""
from types import SimpleNamespace
from unittest import SkipTest, Missing

maxsize = 2**63 - 1
maxunicode = 0x10ffff
byteorder = "little"
platform = "linux"
version_info = (3, 12, 1, "final", 0)
hexversion = 0x030c01f0
version = "3.12.1"
implementation = SimpleNamespace(name="cpython", cache_tag="cpython-312")
flags = SimpleNamespace(optimize=0, bytes_warning=0, utf8_mode=0, int_max_str_digits=4300)
hash_info = SimpleNamespace(width=64, modulus=2**61 - 1, inf=314159, nan=0, imag=1000003)
float_info = SimpleNamespace(max=1.7976931348623157e308, min=2.2250738585072014e-308, epsilon=2.220446049250313e-16, dig=15, mant_dig=53, max_exp=1024, min_exp=-1021, max_10_exp=308, min_10_exp=-307, radix=2, rounds=1)
int_info = SimpleNamespace(bits_per_digit=30, sizeof_digit=4, default_max_str_digits=4300, str_digits_check_threshold=640)
float_repr_style = "short"
modules = {}
argv = [""]
path = []
warnoptions = []


class _Output:
    def write(self, text):
        print(text, end="")

    def flush(self):
        pass


stdout = stderr = __stdout__ = __stderr__ = _Output()


def intern(s):
    return s


def getrecursionlimit():
    return 1000


def setrecursionlimit(n):
    pass


def get_int_max_str_digits():
    return 4300


def getdefaultencoding():
    return "utf-8"


def getfilesystemencoding():
    return "utf-8"


def audit(*args):
    pass


getrefcount = Missing("sys.getrefcount")
getsizeof = Missing("sys.getsizeof")
exc_info = Missing("sys.exc_info")
exception = Missing("sys.exception")
set_int_max_str_digits = Missing("sys.set_int_max_str_digits")
_getframe = Missing("sys._getframe")
settrace = Missing("sys.settrace")


def gettrace():
    return None
