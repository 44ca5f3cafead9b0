/* The theme, and the fold that a link leads into; all else works without a script. */

const button = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  const chosen = document.documentElement.dataset.theme;
  const now = chosen || (dark.matches ? "dark" : "light");
  const other = now === "dark" ? "light" : "dark";
  button.textContent = other === "dark" ? "Dark" : "Light";
  button.setAttribute("aria-label", `Switch to the ${other} theme`);
  button.onclick = () => setTheme(other);
}
function unfold() {
  const aim = location.hash && document.getElementById(location.hash.slice(1));
  if (!aim || !aim.matches(".group")) return;
  aim.querySelector("details").open = true;
  aim.scrollIntoView();
}
dark.addEventListener("change", () => setTheme());
addEventListener("hashchange", unfold);
setTheme();
button.hidden = false;
unfold();
document.documentElement.dataset.ready = "1";
