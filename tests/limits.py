#!/usr/bin/env python3
"""The man page lists the limits as the program does. limits.py BIN PAGE; UPDATE=1 writes the page's list anew."""
import json, os, subprocess, sys

BEGIN, END = ".Bl -tag -width Ds\n", ".El\n"


def entry(limit):
    default = str(limit["default"]) if limit["default"] else "none"
    text = f".It {limit['name']}\nDefault: {default}{' ' + limit['unit'] if limit['default'] else ''}.\n"
    if limit["set_with"]: text += f"Set with\n.Li {limit['set_with'].replace('-', chr(92) + '-')} .\n"
    return text + f"When it is reached: {limit['effect']}.\n"


def main():
    all_ = json.loads(subprocess.run([sys.argv[1] + "/specialize", "limits", "--json"], capture_output=True, check=True).stdout)
    page = open(sys.argv[2]).read()
    head, rest = page.split(BEGIN, 1)
    old, tail = rest.split(END, 1)
    new = "".join(map(entry, all_))
    if os.environ.get("UPDATE"): open(sys.argv[2], "w").write(head + BEGIN + new + END + tail)
    elif old != new: sys.exit(f"{sys.argv[2]} is not what `specialize limits` says; UPDATE=1 {sys.argv[0]} writes it")
    if len({l["name"] for l in all_}) != len(all_): sys.exit("two limits have one name")
    table = subprocess.run([sys.argv[1] + "/specialize", "limits"], capture_output=True, text=True, check=True).stdout
    missing = [l["name"] for l in all_ if not any(line.split()[0] == l["name"] for line in table.splitlines())]
    if missing or not all_: sys.exit(f"not in the table: {missing}")


main()
