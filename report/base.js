"use strict";
// What both pages share.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);

// What names hold must not act: control characters, and those that turn the direction of writing.
const show = s => String(s).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
  c => "\\u{" + c.codePointAt(0).toString(16) + "}");
const count = (n, one, many = one + "s") => n.toLocaleString("en") + " " + (n === 1 ? one : many);
function element(name, text, attributes = {}) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  for (const k in attributes) e[k] = attributes[k];
  return e;
}
function svg(name, attributes = {}) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  return e;
}
