"""URLs taken apart and put together: RFC 3986."""
from collections import namedtuple

__all__ = ["urlparse", "urlunparse", "urljoin", "urldefrag", "urlsplit", "urlunsplit", "urlencode", "parse_qs", "parse_qsl", "quote", "quote_plus", "quote_from_bytes",
           "unquote", "unquote_plus", "unquote_to_bytes", "DefragResult", "ParseResult", "SplitResult"]

uses_relative = ["", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero", "rtsp", "rtsps", "rtspu", "sftp", "svn", "svn+ssh", "ws", "wss"]
uses_netloc = ["", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero", "rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh",
               "sftp", "nfs", "git", "git+ssh", "ws", "wss", "itms-services"]
uses_params = ["", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips", "mms", "sftp", "tel"]
_scheme_chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."
_stripped = "".join(map(chr, range(33)))
_unreserved = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")


class _Place:
    __slots__ = ()

    @property
    def username(self):
        return self._userinfo[0]

    @property
    def password(self):
        return self._userinfo[1]

    @property
    def hostname(self):
        hostname = self._hostinfo[0]
        if not hostname:
            return None
        name, percent, zone = hostname.partition("%")
        return name.lower() + percent + zone

    @property
    def port(self):
        port = self._hostinfo[1]
        if port is not None:
            if not (port.isdigit() and port.isascii()):
                raise ValueError(f"Port could not be cast to integer value as {port!r}")
            port = int(port)
            if not 0 <= port <= 65535:
                raise ValueError("Port out of range 0-65535")
        return port

    @property
    def _userinfo(self):
        userinfo, have, _ = self.netloc.rpartition("@")
        if not have:
            return None, None
        username, have, password = userinfo.partition(":")
        return username, password if have else None

    @property
    def _hostinfo(self):
        _, _, hostinfo = self.netloc.rpartition("@")
        _, open_bracket, bracketed = hostinfo.partition("[")
        if open_bracket:
            hostname, _, port = bracketed.partition("]")
            _, _, port = port.partition(":")
        else:
            hostname, _, port = hostinfo.partition(":")
        return hostname, port or None


class DefragResult(namedtuple("DefragResult", "url fragment")):
    __slots__ = ()

    def geturl(self):
        return self.url + "#" + self.fragment if self.fragment else self.url


class SplitResult(namedtuple("SplitResult", "scheme netloc path query fragment"), _Place):
    __slots__ = ()

    def geturl(self):
        return urlunsplit(self)


class ParseResult(namedtuple("ParseResult", "scheme netloc path params query fragment"), _Place):
    __slots__ = ()

    def geturl(self):
        return urlunparse(self)


def _texts(*args):
    for a in args:
        if a and not isinstance(a, str):
            if isinstance(a, bytes):
                raise TypeError("bytes are not available here: decode the URL first")
            raise AttributeError(f"'{type(a).__name__}' object has no attribute 'decode'")


def urlsplit(url, scheme="", allow_fragments=True):
    _texts(url, scheme)
    url = url.lstrip(_stripped)
    scheme = scheme.strip(_stripped)
    for c in "\t\r\n":
        url = url.replace(c, "")
        scheme = scheme.replace(c, "")
    netloc = query = fragment = ""
    i = url.find(":")
    if i > 0 and url[0].isascii() and url[0].isalpha() and all(c in _scheme_chars for c in url[:i]):
        scheme, url = url[:i].lower(), url[i + 1:]
    if url[:2] == "//":
        end = min([p for p in (url.find(c, 2) for c in "/?#") if p >= 0], default=len(url))
        netloc, url = url[2:end], url[end:]
        if ("[" in netloc) != ("]" in netloc):
            raise ValueError("Invalid IPv6 URL")
    if allow_fragments and "#" in url:
        url, fragment = url.split("#", 1)
    if "?" in url:
        url, query = url.split("?", 1)
    return SplitResult(scheme, netloc, url, query, fragment)


def _split_params(url):
    if "/" in url:
        i = url.find(";", url.rfind("/"))
        if i < 0:
            return url, ""
    else:
        i = url.find(";")
    return url[:i], url[i + 1:]


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, url, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ""
    if scheme in uses_params and ";" in url:
        url, params = _split_params(url)
    return ParseResult(scheme, netloc, url, params, query, fragment)


def urlunparse(components):
    scheme, netloc, url, params, query, fragment = components
    if params:
        url = "%s;%s" % (url, params)
    return urlunsplit((scheme, netloc, url, query, fragment))


def urlunsplit(components):
    scheme, netloc, url, query, fragment = components
    _texts(scheme, netloc, url, query, fragment)
    if netloc or scheme and scheme in uses_netloc and url[:2] != "//":
        if url and url[:1] != "/":
            url = "/" + url
        url = "//" + (netloc or "") + url
    if scheme:
        url = scheme + ":" + url
    if query:
        url = url + "?" + query
    if fragment:
        url = url + "#" + fragment
    return url


def urljoin(base, url, allow_fragments=True):
    if not base:
        return url
    if not url:
        return base
    bscheme, bnetloc, bpath, bparams, bquery, bfragment = urlparse(base, "", allow_fragments)
    scheme, netloc, path, params, query, fragment = urlparse(url, bscheme, allow_fragments)
    if scheme != bscheme or scheme not in uses_relative:
        return url
    if scheme in uses_netloc:
        if netloc:
            return urlunparse((scheme, netloc, path, params, query, fragment))
        netloc = bnetloc
    if not path and not params:
        return urlunparse((scheme, netloc, bpath, bparams, query or bquery, fragment))
    base_parts = bpath.split("/")
    if base_parts[-1] != "":
        del base_parts[-1]
    if path[:1] == "/":
        segments = path.split("/")
    else:
        segments = base_parts + path.split("/")
        segments[1:-1] = filter(None, segments[1:-1])
    resolved = []
    for s in segments:
        if s == "..":
            if resolved:
                resolved.pop()
        elif s != ".":
            resolved.append(s)
    if segments[-1] in (".", ".."):
        resolved.append("")
    return urlunparse((scheme, netloc, "/".join(resolved) or "/", params, query, fragment))


def urldefrag(url):
    _texts(url)
    if "#" in url:
        s, n, p, a, q, frag = urlparse(url)
        return DefragResult(urlunparse((s, n, p, a, q, "")), frag)
    return DefragResult(url, "")


def quote_from_bytes(bs, safe="/"):
    if not isinstance(bs, bytes):
        raise TypeError("quote_from_bytes() expected bytes")
    if isinstance(safe, str):
        safe = safe.encode("ascii", "ignore")
    keep = _unreserved | {c for c in safe if c < 128}
    return "".join(chr(c) if c in keep else f"%{c:02X}" for c in bs)


def quote(string, safe="/", encoding=None, errors=None):
    if isinstance(string, str):
        if not string:
            return string
        string = string.encode(encoding or "utf-8", errors or "strict")
    else:
        if encoding is not None:
            raise TypeError("quote() doesn't support 'encoding' for bytes")
        if errors is not None:
            raise TypeError("quote() doesn't support 'errors' for bytes")
    return quote_from_bytes(string, safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    space = " " if isinstance(string, str) else b" "
    if space not in string:
        return quote(string, safe, encoding, errors)
    return quote(string, safe + (" " if isinstance(safe, str) else b" "), encoding, errors).replace(" ", "+")


_hex = "0123456789ABCDEFabcdef"


def unquote_to_bytes(string):
    if isinstance(string, str):
        string = string.encode()
    if not string:
        return b""
    bits = string.split(b"%")
    out = [bits[0]]
    for item in bits[1:]:
        pair = item[:2].decode("latin-1")
        if len(pair) == 2 and pair[0] in _hex and pair[1] in _hex:
            out.append(bytes([int(pair, 16)]) + item[2:])
        else:
            out.append(b"%" + item)
    return b"".join(out)


def unquote(string, encoding="utf-8", errors="replace"):
    if isinstance(string, bytes):
        return unquote_to_bytes(string).decode(encoding or "utf-8", errors or "replace")
    if "%" not in string:
        return string
    out = []
    run = []
    for c in string:
        if c.isascii():
            run.append(c)
            continue
        if run:
            out.append(unquote_to_bytes("".join(run)).decode(encoding or "utf-8", errors or "replace"))
            run = []
        out.append(c)
    if run:
        out.append(unquote_to_bytes("".join(run)).decode(encoding or "utf-8", errors or "replace"))
    return "".join(out)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", max_num_fields=None, separator="&"):
    result = {}
    for name, value in parse_qsl(qs, keep_blank_values, strict_parsing, encoding=encoding, errors=errors, max_num_fields=max_num_fields, separator=separator):
        result.setdefault(name, []).append(value)
    return result


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", max_num_fields=None, separator="&"):
    _texts(qs)
    if not separator or not isinstance(separator, (str, bytes)):
        raise ValueError("Separator must be of type string or bytes.")
    if not qs:
        return []
    if max_num_fields is not None and max_num_fields < 1 + qs.count(separator):
        raise ValueError("Max number of fields exceeded")
    out = []
    for pair in qs.split(separator):
        if not pair and not strict_parsing:
            continue
        parts = pair.split("=", 1)
        if len(parts) != 2:
            if strict_parsing:
                raise ValueError("bad query field: %r" % (pair,))
            if not keep_blank_values:
                continue
            parts.append("")
        if len(parts[1]) or keep_blank_values:
            out.append((unquote(parts[0].replace("+", " "), encoding, errors), unquote(parts[1].replace("+", " "), encoding, errors)))
    return out


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    if hasattr(query, "items"):
        query = query.items()
    else:
        try:
            if len(query) and not isinstance(query[0], tuple):
                raise TypeError
        except TypeError as err:
            raise TypeError("not a valid non-string sequence or mapping object") from err

    def one(v):
        if isinstance(v, bytes):
            return quote_via(v, safe)
        return quote_via(str(v), safe, encoding, errors)

    out = []
    for k, v in query:
        k = one(k)
        if not doseq or isinstance(v, (bytes, str)):
            out.append(k + "=" + one(v))
            continue
        try:
            len(v)
        except TypeError:
            out.append(k + "=" + one(v))
        else:
            for e in v:
                out.append(k + "=" + one(e))
    return "&".join(out)
