"""The comment at the top of a program in tests/programs: lines ` * key: value`, a key once or several times."""
import re


def read(path):
    """Key: all its values, in their order."""
    found = {}
    for line in open(path, errors="replace"):
        m = re.match(r" \* ([a-z-]+):\s*(.*?)\s*$", line)
        if m: found.setdefault(m[1], []).append(m[2])
        if line.strip() == "*/": break
    return found


def plain(value):
    """Without the remark in parentheses that may follow."""
    return re.sub(r"\s+\(.*$", "", value)


def first(path, key, without=""):
    values = read(path).get(key)
    return plain(values[0]) if values else without
