# A browser draws the page without an error. Runs where chromium is installed.
. "$TOP/tests/browse.sh"
draw() {
  browse "$1" "$2"
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
