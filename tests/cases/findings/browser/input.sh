# A browser shows the page without an error, for no, one and many findings. Runs where chromium is installed.
command -v python3 > /dev/null || skip 'there is no python3'
command -v chromium > /dev/null || skip 'there is no chromium'
draw() {
  TMPDIR=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$PWD/profile" --enable-logging=stderr --window-size="$1" \
    --run-all-compositor-stages-before-draw --virtual-time-budget=2000 --dump-dom "file://$PWD/$2" > dom.html 2> log
  grep -o 'CONSOLE.*' log
  sed -n 's/.*<p id="facts">\([^<]*\)<.*/\1/p' dom.html
  python3 - << 'END'
import html, re
dom = open("dom.html").read().split("<script")[0]
text = lambda pattern: [html.unescape(re.sub("<[^>]*>", "", t)) for t in re.findall(pattern, dom, re.S)]
print(len(re.findall(r'class="item', dom)), "listed,", text(r'aria-selected="true".*?class="pair mono">([^<]*)'))
print(*text(r'<article.*?<h2>([^<]*)'), *text(r'<p class="why">(.*?)</p>'), *text(r'<div class="verdict.*?>(.*?)</p>'), sep="\n")
print(text(r'<div class="hot">(.*?)</div>'), dom.count('class="row"'), "steps,", dom.count('class="wait"'), "waits")
END
}
sources=$TOP/tests/cases/findings/text
page() { findings html "$@" > page.html; grep -c '<script id="data"' page.html; grep -E -o '(src|href|url)[=(]["'\'']?https?:' page.html; }
page "$sources/app.json" --sources "$sources"; draw 1280,900 page.html; draw 400,800 page.html
page --sim 3 0; draw 1280,900 page.html
page --sim 4 1; draw 1280,900 page.html
page --sim 3 500 --sources "$TOP/tests/programs"; draw 1280,900 page.html
page --odd 5 40; draw 400,800 page.html
id=$(grep -o '"id":"[0-9a-f]*"' page.html | sed -n '20s/"id":"\(.*\)"/\1/p'); draw 1280,900 "page.html#$id"
# Keys: down twice, statuses that are hidden come in, another grouping, a search, and all again.
findings html --sim 3 60 > page.html
press() {
  { cat page.html; printf '<script>for (const key of [%s]) document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));%s</script>\n' "$1" "$2"; } > keys.html
  draw 1280,900 keys.html | sed -n 2p
}
press '' ''
press '"j", "ArrowDown"' ''
press '"3"' ''
press '"End"' ''
press '"g"' ''
press '' '$("search").value = "racy.c:4"; $("search").oninput();'
press '' '$("search").value = "racy.c:40"; $("search").oninput();'
press '' '$("search").value = "racy.c:40"; $("search").oninput(); document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));'
