# What counts for the exit status, what is known, unwanted or harmless.
. "$TOP/tests/races.sh"
cp "$TOP/tests/programs/racy.c" .
made racy 2 100
races racy --fail-on possible
races racy --replay --fail-on replayed
try specialize race ./racy --sigma racy.sigma --fail-on replayed
# An earlier report; one finding is new, although lines have moved.
python3 - <<'END'
import json
r = json.load(open("out.json"))
r["races"] = [x for x in r["races"] if x["object"] != "counter"]
json.dump(r, open("earlier.json", "w"))
END
specialize race ./racy --sigma racy.sigma --format json > whole.json
sed -i 's/^static int torn/\n\n&/' racy.c
rm racy.sigma
made racy 2 100
races racy --baseline earlier.json --fail-on new
races racy --baseline whole.json --fail-on new
# Suppressions hide; what hides nothing is told.
printf 'race:publish\nrace:worker & worker\nrace:nobody\n' > suppressions
races racy --suppressions suppressions
specialize race ./racy --sigma racy.sigma --suppressions suppressions 2> /dev/null | tail -3
# A comment in the source makes benign what is on its line.
sed -i 's|counter += last - first;|& // specialize: benign: only a statistic|' racy.c
rm racy.sigma
made racy 2 100
specialize race ./racy --sigma racy.sigma | grep -E '^benign|^specialize|^checked'
