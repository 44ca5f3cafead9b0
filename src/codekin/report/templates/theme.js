/* Light or dark: as the system has it, until the reader chooses. */

let whenThemed = () => {}; // called with the theme that is shown
const themeButton = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  const now = document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  const other = now === "dark" ? "light" : "dark";
  themeButton.textContent = other === "dark" ? "Dark" : "Light";
  themeButton.setAttribute("aria-label", `Switch to the ${other} theme`);
  themeButton.onclick = () => setTheme(other);
  whenThemed(now);
}
dark.addEventListener("change", () => setTheme());
