/* The fold that a link leads into; all else works without a script. */

function unfold() {
  const aim = location.hash && document.getElementById(location.hash.slice(1));
  if (!aim || !aim.matches(".group")) return;
  aim.querySelector("details").open = true;
  aim.scrollIntoView();
}
addEventListener("hashchange", unfold);
setTheme();
themeButton.hidden = false;
unfold();
document.documentElement.dataset.ready = "1";
