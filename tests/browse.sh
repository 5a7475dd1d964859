# For cases that look at a page in a browser; they are skipped where it is not installed.
# browse SIZE FILE: what is on the page goes to dom.html; prints what it complains of, and the page's line of facts.
command -v python3 > /dev/null || skip 'there is no python3'
command -v chromium > /dev/null || skip 'there is no chromium'
browse() {
  TMPDIR=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$PWD/profile" --enable-logging=stderr --window-size="$1" \
    --run-all-compositor-stages-before-draw --virtual-time-budget=3000 "${@:3}" --dump-dom "file://$PWD/$2" > dom.html 2> log
  grep -o 'CONSOLE.*' log
  sed -n 's/.*<p id="facts">\([^<]*\)<.*/\1/p' dom.html
}
# fits WIDTH FILE: whether the page is no wider than so many pixels; else what sticks out.
fits() {
  cat "$2" - > inner.html << 'END'
<script>setTimeout(() => {
  const cut = e => { for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) if (getComputedStyle(p).overflowX !== "visible") return true; return false; };
  const wide = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !cut(e));
  const said = document.createElement("p");
  said.id = "wide", said.textContent = wide.slice(0, 4).map(e => e.tagName + "#" + e.id).join(" ");
  document.body.append(said);
}, 500)</script>
END
  cat > outer.html << END
<body><iframe id="f" src="inner.html" style="width: $1px; height: 800px; border: 0"></iframe>
<script>setTimeout(() => { document.body.innerHTML = "<p id=facts>" + (document.getElementById("f").contentDocument.getElementById("wide").textContent || "fits") + "</p>"; }, 1500)</script></body>
END
  browse 1300,900 outer.html --allow-file-access-from-files
}
