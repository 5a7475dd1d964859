#!/usr/bin/env python3
"""pack.py DIR OUT: the recording of a process (rt/log.h) as an input of fuzz_recording."""
import os, re, struct, sys

def used(b):
    head, = struct.unpack_from("<Q", b, 40)
    return b[:64 + head] if head else b.rstrip(b"\0") + bytes(24)

out = b""
for name in sorted(os.listdir(sys.argv[1])):
    data = open(os.path.join(sys.argv[1], name), "rb").read()
    m = re.fullmatch(r"([eb])(\d+)\.(\d+)", name)
    kind, thread, segment = (m.group(1), int(m.group(2)), int(m.group(3))) if m else (name[0], 0, 0)
    data = used(data) if m else data[:696] if name == "process" else re.sub(rb"/[^\0]*/", b"/", data)
    if name == "notes": continue  # made below: machines' paths are nobody's business
    out += struct.pack("<BBBH", ord(kind), thread, segment, len(data)) + data
notes = b"".join(struct.pack("<II", k, len(t)) + t for k, t in ((1, b"./app"), (1, b"input"), (4, b"ASKED"), (4, b"HOME=/home"), (5, bytes(32) + b"/etc/none")))
open(sys.argv[2], "wb").write(out + struct.pack("<BBBH", ord("n"), 0, 0, len(notes)) + notes)
