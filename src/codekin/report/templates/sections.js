/* Of several panels one at a time; without a script they stand below each other. */

for (const box of document.querySelectorAll("[data-choice]")) {
  const panels = [...box.querySelectorAll(":scope > .choice")];
  if (panels.length < 2) continue;
  const choice = make("select", { autocomplete: "off" }, ...panels.map((panel, i) => make("option", { value: String(i) }, panel.dataset.name)));
  const show = () => panels.forEach((panel, i) => { panel.hidden = i !== Number(choice.value); });
  choice.addEventListener("input", show);
  box.prepend(make("label", { class: "chooser" }, box.dataset.choice, choice));
  box.classList.add("one");
  show();
}
