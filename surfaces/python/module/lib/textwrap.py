"""Filling, shortening and indenting text."""
import re

__all__ = ["TextWrapper", "wrap", "fill", "dedent", "indent", "shorten"]

_blank = "\t\n\x0b\x0c\r "
_blanks = r"[\t\n\x0b\x0c\r ]"
_marks = r"[^\t\n\x0b\x0c\r ]"
_letter = r"[^\d\W]"
_inner = r"[\w!\"'&.,?]"

# Where a line may end: at white space, around a dash of two or more, and behind
# a hyphen between letters.
_pieces = re.compile(
    rf"({_blanks}+"
    rf"|(?<={_inner})-{{2,}}(?=\w)"
    rf"|{_marks}+?(?:-(?:(?<={_letter}{{2}}-)|(?<={_letter}-{_letter}-))(?={_letter}-?{_letter})"
    rf"|(?={_blanks}|\Z)"
    rf"|(?<={_inner})(?=-{{2,}}\w)))")
_words = re.compile(rf"({_blanks}+)")
_sentence_end = re.compile(r"[a-z][\.\!\?][\"\']?\Z")


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True, fix_sentence_endings=False,
                 break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None, placeholder=" [...]"):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _split_chunks(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = text.translate({ord(c): " " for c in _blank})
        chunks = [c for c in (_pieces if self.break_on_hyphens is True else _words).split(text) if c]
        if self.fix_sentence_endings:
            i = 0
            while i < len(chunks) - 1:
                if chunks[i + 1] == " " and _sentence_end.search(chunks[i]):
                    chunks[i + 1] = "  "
                    i += 2
                else:
                    i += 1
        return chunks

    def _break_word(self, chunks, line, used, width):
        room = 1 if width < 1 else width - used
        if not self.break_long_words:
            if not line:
                line.append(chunks.pop())
            return
        end = room
        word = chunks[-1]
        if self.break_on_hyphens and len(word) > room:
            hyphen = word.rfind("-", 0, room)
            if hyphen > 0 and any(c != "-" for c in word[:hyphen]):
                end = hyphen + 1
        line.append(word[:end])
        chunks[-1] = word[end:]

    def _wrap_chunks(self, chunks):
        if self.width <= 0:
            raise ValueError("invalid width %r (must be > 0)" % self.width)
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        lines = []
        chunks.reverse()
        while chunks:
            line = []
            used = 0
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and chunks[-1].strip() == "" and lines:
                del chunks[-1]
            while chunks:
                n = len(chunks[-1])
                if used + n > width:
                    break
                line.append(chunks.pop())
                used += n
            if chunks and len(chunks[-1]) > width:
                self._break_word(chunks, line, used, width)
                used = sum(map(len, line))
            if self.drop_whitespace and line and line[-1].strip() == "":
                used -= len(line[-1])
                del line[-1]
            if not line:
                continue
            if (self.max_lines is None or len(lines) + 1 < self.max_lines
                    or (not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip()) and used <= width):
                lines.append(indent + "".join(line))
                continue
            while line:
                if line[-1].strip() and used + len(self.placeholder) <= width:
                    line.append(self.placeholder)
                    lines.append(indent + "".join(line))
                    break
                used -= len(line[-1])
                del line[-1]
            else:
                if lines:
                    last = lines[-1].rstrip()
                    if len(last) + len(self.placeholder) <= self.width:
                        lines[-1] = last + self.placeholder
                        break
                lines.append(indent + self.placeholder.lstrip())
            break
        return lines

    def wrap(self, text):
        return self._wrap_chunks(self._split_chunks(text))

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    w = TextWrapper(width=width, max_lines=1, **kwargs)
    return w.fill(" ".join(text.strip().split()))


def dedent(text):
    margin = None
    text = re.sub(r"^[ \t]+$", "", text, flags=re.MULTILINE)
    for indent in re.findall(r"(^[ \t]*)(?:[^ \t\n])", text, flags=re.MULTILINE):
        if margin is None or margin.startswith(indent):
            margin = indent
        elif not indent.startswith(margin):
            n = 0
            while n < len(margin) and n < len(indent) and margin[n] == indent[n]:
                n += 1
            margin = margin[:n]
    if margin:
        text = re.sub(r"(?m)^" + margin, "", text)
    return text


def indent(text, prefix, predicate=None):
    if predicate is None:
        predicate = str.strip
    return "".join(prefix + line if predicate(line) else line for line in text.splitlines(True))
