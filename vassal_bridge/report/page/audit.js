(() => {
  const findings = DATA.findings, byId = new Map(findings.map((each) => [each.id, each]));
  const holder = $("#map"), card = $("#hexcard"), buttons = $$(".finding");
  let chosen = null, moment = "before", view = null;

  function showHex(hex) {
    if (!card) return;
    card.replaceChildren();
    if (!hex) { card.append(make("p", "hint", say("ui.hex.look"))); return; }
    const names = DATA.terrains[hex.terrain] || ["", ""];
    let ground = names[root.dataset.lang === "zh" ? 1 : 0];
    if (hex.level) ground = say("terrain.level", { terrain: ground, level: hex.level });
    const head = make("h2", "", hex.name + " ");
    head.append(make("small", "", ground));
    card.append(head);
    const here = (chosen ? chosen[moment] : []).map((n) => DATA.stacks[n]).find((stack) => stack[0] === hex.name);
    if (here) card.append(make("p", "hint", told(here[1])));
  }
  function show() {
    for (const button of buttons) button.setAttribute("aria-pressed", String(Boolean(chosen) && button.dataset.finding === chosen.id));
    for (const name of ["before", "after"]) $("#" + name).setAttribute("aria-pressed", String(moment === name));
    if (!view) return;
    const visible = new Set(chosen ? chosen[moment] : []);
    for (const stack of $$(".s", holder)) stack.classList.toggle("on", visible.has(Number(stack.dataset.s)));
    for (const layer of $$(".u", holder)) layer.classList.toggle("on", Boolean(chosen) && layer.dataset.unit === chosen.id);
    showHex(view.cursor);
  }
  function choose(id, { focus = false, smooth = true } = {}) {
    const before = chosen;
    chosen = byId.get(id) || null;
    if (chosen !== before) moment = "before";
    show();
    if (view && chosen && chosen.box) {
      const [left, top, right, bottom] = chosen.box;
      view.fit([left, top, right - left, bottom - top], smooth);
    }
    try { history.replaceState(null, "", chosen ? "#finding=" + encodeURIComponent(chosen.id) : " "); } catch { /* some readers forbid it */ }
    const button = buttons.find((each) => chosen && each.dataset.finding === chosen.id);
    if (button) {
      if (focus) button.focus({ preventScroll: true });
      button.scrollIntoView({ block: "nearest" });
    }
  }
  function turn(to) { moment = to; show(); }
  function step(by) {
    const shown = buttons.filter((button) => button.offsetParent !== null).map((button) => button.dataset.finding);
    if (!shown.length) return;
    const now = chosen ? shown.indexOf(chosen.id) : by > 0 ? -1 : 0;
    choose(shown[(now + by + shown.length) % shown.length], { focus: true });
  }

  commonControls();
  if (holder) {
    view = new MapView(holder, showHex, () => {});
    $("#zoom-in").addEventListener("click", () => view.zoom(0.72));
    $("#zoom-out").addEventListener("click", () => view.zoom(1.39));
    $("#fit").addEventListener("click", () => choose(chosen && chosen.id));
    $("#whole").addEventListener("click", () => view.whole());
    view.point_out(null);
    view.show([0, 0, DATA.width, DATA.height]);
  }
  for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.finding));
  $("#before").addEventListener("click", () => turn("before"));
  $("#after").addEventListener("click", () => turn("after"));
  $("#next").addEventListener("click", () => step(1));
  $("#previous").addEventListener("click", () => step(-1));
  $("#only").addEventListener("change", (event) => { root.classList.toggle("only", event.target.checked); });
  shortcuts({
    j: () => step(1), ArrowDown: () => step(1), n: () => step(1), k: () => step(-1), ArrowUp: () => step(-1), p: () => step(-1),
    b: () => turn("before"), a: () => turn("after"), "+": () => view && view.zoom(0.72), "=": () => view && view.zoom(0.72), "-": () => view && view.zoom(1.39),
    0: () => choose(chosen && chosen.id),
  });
  document.addEventListener("language", () => view && showHex(view.cursor));
  root.classList.add("js");
  const asked = new URLSearchParams(location.hash.slice(1)).get("finding");
  const first = findings.find((each) => each.kind === "illegal") || findings.find((each) => each.kind === "failure") || findings[0];
  choose(byId.has(asked) ? asked : first && first.id, { smooth: false });
})();
