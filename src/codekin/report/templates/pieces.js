/* What the scripts of pages share: pieces of data, which are inflated when they are asked for, and nodes. */

const $ = (id) => document.getElementById(id);

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
async function inflate(id) {
  const stream = new Blob([bytesOf($(id).textContent)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}
const inflateJson = async (id) => JSON.parse(new TextDecoder().decode(await inflate(id)));
// An item of the pages of some name, by the first items of the pages; the last few pages are kept.
const pagesKept = new Map();
async function itemOnPage(name, starts, item) {
  let page = starts.length - 1;
  while (starts[page] > item) page--;
  if (!pagesKept.has(page)) {
    if (pagesKept.size > 8) pagesKept.clear();
    pagesKept.set(page, inflateJson(`${name}-${page}`));
  }
  return (await pagesKept.get(page))[item - starts[page]];
}

// All of it is 100 %, and nothing less is.
const percent = (x) => `${x < 1 ? Math.min(99, Math.round(100 * x)) : 100} %`;
const many = (n) => n.toLocaleString("en");

// What cannot be seen, or hides what can be, is shown by its name; codekin.plain_text has the same for the rest of a page.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;
const unicode = (sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const pictured = (code) => code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? "\u2421" : null;
const plainText = (text) => text.replace(HIDDEN, (sign) => pictured(sign.codePointAt(0)) ?? `<${unicode(sign)}>`);
function visible(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(HIDDEN)) {
    const sign = found[0];
    parts.push(text.slice(from, found.index), make("span", { class: "ctl", title: unicode(sign) }, pictured(sign.codePointAt(0)) ?? unicode(sign).slice(2)));
    from = found.index + sign.length;
  }
  parts.push(text.slice(from));
  return parts;
}
// Everything that comes from the data enters the page as text, never as markup.
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, run] of Object.entries(value)) node.addEventListener(event, run);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else node.setAttribute(name, value === true ? "" : name === "title" || name === "aria-label" ? plainText(String(value)) : value);
  }
  const shown = children.flat(Infinity).filter((child) => child !== null && child !== undefined);
  node.append(...shown.flatMap((child) => typeof child === "string" ? visible(child) : [child]));
  return node;
}
