# For cases that look at a page in a browser; they are skipped where it is not installed.
# browse SIZE FILE: what is on the page goes to dom.html; prints what it complains of, and the page's line of facts.
command -v python3 > /dev/null || skip 'there is no python3'
command -v chromium > /dev/null || skip 'there is no chromium'
browse() {
  TMPDIR=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$PWD/profile" --enable-logging=stderr --window-size="$1" \
    --run-all-compositor-stages-before-draw --virtual-time-budget=2000 --dump-dom "file://$PWD/$2" > dom.html 2> log
  grep -o 'CONSOLE.*' log
  sed -n 's/.*<p id="facts">\([^<]*\)<.*/\1/p' dom.html
}
