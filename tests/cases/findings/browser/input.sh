# A browser shows the page without an error, for no, one and many findings. Runs where chromium is installed.
. "$TOP/tests/browse.sh"
draw() {
  browse "$1" "$2"
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
page "$sources/app.json" --sources "$sources"; draw 1280,900 page.html
page --sim 3 0; draw 1280,900 page.html
page --sim 4 1; draw 1280,900 page.html
page --sim 3 500 --sources "$TOP/tests/programs"; draw 1280,900 page.html
page --odd 5 40; draw 400,800 page.html
id=$(grep -o '"id":"[0-9a-f]*"' page.html | sed -n '20s/"id":"\(.*\)"/\1/p'); draw 1280,900 "page.html#$id"
# Keys: down twice and a status that was hidden, another grouping and its end, a search, and all again.
findings html --sim 3 60 > page.html
press() {
  { cat page.html; printf '<script>for (const key of [%s]) document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));%s</script>\n' "$1" "$2"; } > keys.html
  draw 1280,900 keys.html | sed -n 2p
}
press '' ''
press '"j", "ArrowDown", "3"' ''
press '"g", "End"' ''
press '' '$("search").value = "racy.c:40"; $("search").oninput();'
press '' '$("search").value = "racy.c:40"; $("search").oninput(); document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));'
# C++ names are long, and telephones are narrow.
cp "$TOP/tests/cases/findings/browser/long.cc" .
export XDG_CACHE_HOME=$PWD/cache
specialize-c++ -g -O0 -pthread long.cc -o long
specialize record -o long.sigma -- ./long > /dev/null 2>&1
specialize race ./long --sigma long.sigma --format html -o long.html
specialize show long.sigma --html -o show.html
for width in 400 760 1280; do for file in long show; do echo "$file at $width: $(fits $width $file.html)"; done; done
