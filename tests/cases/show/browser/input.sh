# A browser draws the page without an error. Runs where chromium is installed.
command -v python3 > /dev/null || skip 'there is no python3'
command -v chromium > /dev/null || skip 'there is no chromium'
draw() {
  TMPDIR=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$PWD/profile" --enable-logging=stderr --window-size="$1" \
    --run-all-compositor-stages-before-draw --virtual-time-budget=2000 --dump-dom "file://$PWD/$2" > dom.html 2> log
  grep -o 'CONSOLE.*' log
  sed -n 's/.*<p id="facts">\([^<]*\)<.*/\1/p' dom.html
  python3 - << 'END'
import re
dom = open("dom.html").read()
print(len(re.findall(r'class="mark[ "]', dom)), "kinds of marks,", len(re.findall(r'<text [^>]*class=', dom)), "labels,",
      "selected:", *re.findall(r'<h2 class="mono">([^<]*)', dom))
END
}
specialize show "$TOP/tests/cases/show/events/app.sigma" --html -o app.html
draw 1280,900 'app.html#0:7'
draw 400,800 'app.html#1:0'
sim_sigma 1 8 100000 > large.sigma && specialize show large.sigma --html -o large.html
draw 1280,900 'large.html#0:50000' | sed 's/[0-9][0-9,]*/N/g; s/selected: [a-z].*/one selected/'
printf '%s\n' 'sigma 1' 'program app' 'module 00' 'schedules 0' > none.sigma
specialize show none.sigma --html -o none.html
draw 1280,900 none.html
