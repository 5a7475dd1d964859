"""Which of the files hold bytes that may not reach a terminal, or lines that a build server would obey."""
import re
import sys

RAW = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    wrong = [f"byte {m.start()}" for m in RAW.finditer(data)]
    wrong += [f"line '{m.group().decode()}'" for m in re.finditer(rb"^::(?!(notice|error|warning) file=a)\w+", data, re.M)]
    if name.endswith("html") and b"<script>alert" in data:
        wrong.append("a script")
    print(f"{name}: {len(data) > 0 and (', '.join(wrong[:3]) or 'nothing raw')}")
