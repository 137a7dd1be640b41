(() => {
  const units = DATA.units, order = units.map((unit) => unit.id);
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const holder = $("#map"), card = $("#hexcard"), details = $("#details");
  let chosen = [];
  let view = null;

  /* What a hex means for a unit: [sign, sentence]. */
  function meaning(unit, hex) {
    const lang = root.dataset.lang === "zh" ? 2 : 1;
    const told = unit.notes[hex.name];
    if (told) return [told[0], told[lang]];
    if (unit.duty === "none") return ["", say("ui.hex.none")];
    if (unit.duty === "eliminated") return ["", say("ui.hex.dead")];
    const why = DATA.texts[unit.not[hex.name]];
    if (why) return ["no", why[lang - 1]];
    const start = view.byName.get(unit.hex);
    if (start && view.range(start, hex) > unit.mf) return ["", say("ui.hex.far", { mf: unit.mf })];
    return ["", say(unit.free ? "ui.hex.no-free" : "ui.hex.no")];
  }
  function showHex(hex) {
    if (!card) return;
    card.replaceChildren();
    if (!hex) { card.append(make("p", "hint", say("ui.hex.start"))); return; }
    const head = make("h2", "", hex.name + " ");
    const names = DATA.terrains[hex.terrain] || ["", ""];
    let ground = names[root.dataset.lang === "zh" ? 1 : 0];
    if (hex.level) ground = say("terrain.level", { terrain: ground, level: hex.level });
    head.append(make("small", "", ground));
    card.append(head);
    const here = DATA.counters[hex.name];
    if (here) card.append(make("p", "hint", told(here)));
    const list = make("ul");
    for (const id of chosen.length ? chosen : order) {
      const unit = byId.get(id);
      if (!chosen.length && !unit.notes[hex.name]) continue;
      const [sign, sentence] = meaning(unit, hex);
      const item = make("li", sign);
      item.append(make("span", `letter ink${unit.ink}`, unit.letter), make("span", "", sentence));
      list.append(item);
    }
    if (list.children.length) card.append(list);
    for (const item of $$(".ends li, .hexes li, .tags li", details || document)) item.classList.toggle("on", item.dataset.hex === hex.name);
  }
  function route(unit, end) {
    const lines = [$("#highlight-casing"), $("#highlight")];
    if (!view) return;
    const path = end && [unit.hex, ...end.path].map((name) => view.byName.get(name)).filter(Boolean);
    holder.classList.toggle("route", Boolean(end));
    const hot = new Set(end ? [end.hex, ...end.met] : []);
    for (const mark of $$(".u [data-hex]", holder)) mark.classList.toggle("hot", hot.has(mark.dataset.hex));
    for (const line of lines) line.setAttribute("points", path ? path.map((hex) => `${hex.x},${hex.y}`).join(" ") : "");
    if (path) lines[1].setAttribute("class", `line${unit.ink}`);
  }
  function choose(ids, { move = true, focus = false } = {}) {
    chosen = ids.filter((id) => byId.has(id)).slice(0, 2);
    for (const button of $$(".pick")) button.setAttribute("aria-pressed", String(chosen.length ? button.dataset.unit === chosen[0] : button.dataset.unit === ""));
    for (const button of $$(".compare")) button.setAttribute("aria-pressed", String(button.dataset.unit === chosen[1]));
    for (const article of $$("article.unit")) {
      const place = chosen.indexOf(article.dataset.unit);
      article.classList.toggle("on", place >= 0);
      if (place >= 0) article.style.order = place;
    }
    if (details) {
      details.classList.toggle("none", !chosen.length);
      details.classList.toggle("two", chosen.length === 2);
    }
    if (view) {
      holder.classList.toggle("all", !chosen.length);
      holder.classList.toggle("two", chosen.length === 2);
      for (const layer of $$(".u", holder)) {
        const place = chosen.indexOf(layer.dataset.unit);
        layer.classList.toggle("on", place >= 0);
        layer.classList.toggle("first", place === 0);
        layer.classList.toggle("second", place === 1);
      }
      const [one, two] = chosen.map((id) => new Set(byId.get(id).ends.map((end) => end.hex)));
      for (const mark of $$(".u .m", holder)) mark.classList.toggle("shared", Boolean(two) && one.has(mark.dataset.hex) && two.has(mark.dataset.hex));
      route(null, null);
      if (move) fit();
      showHex(view.cursor);
    }
    const hash = chosen.length ? "#unit=" + chosen.map(encodeURIComponent).join("&with=") : " ";
    try { history.replaceState(null, "", hash); } catch { /* some readers forbid it */ }
    const button = $$(".pick").find((each) => each.dataset.unit === (chosen[0] || ""));
    if (button) {
      if (focus) button.focus({ preventScroll: true });
      button.parentNode.scrollIntoView({ block: "nearest", inline: "center" });
    }
  }
  function fit(smooth = true) {
    if (!view) return;
    const boxes = (chosen.length ? chosen.map((id) => byId.get(id).box) : [DATA.box]).filter(Boolean);
    if (!boxes.length) { view.whole(smooth); return; }
    const left = Math.min(...boxes.map((b) => b[0])), top = Math.min(...boxes.map((b) => b[1]));
    const right = Math.max(...boxes.map((b) => b[2])), bottom = Math.max(...boxes.map((b) => b[3]));
    view.fit([left, top, right - left, bottom - top], smooth);
  }
  function step(by) {
    const all = ["", ...order];
    const now = all.indexOf(chosen[0] || "");
    choose([all[(now + by + all.length) % all.length]], { focus: true });
  }
  function compare(id) {
    if (!id) id = order[(order.indexOf(chosen[0]) + 1) % order.length];
    if (!chosen.length) choose([id]);
    else if (chosen[1] === id) choose([chosen[0]]);
    else if (chosen[0] !== id) choose([chosen[0], id]);
  }

  commonControls();
  if (holder) {
    view = new MapView(holder, showHex, (id, hex) => {
      if (byId.has(id)) choose([id], { move: false });
      else if (hex) {
        const end = chosen.length && byId.get(chosen[0]).ends.findIndex((each) => each.hex === hex.name);
        route(byId.get(chosen[0]), chosen.length && end >= 0 ? byId.get(chosen[0]).ends[end] : null);
      }
    });
    $("#zoom-in").addEventListener("click", () => view.zoom(0.72));
    $("#zoom-out").addEventListener("click", () => view.zoom(1.39));
    $("#fit").addEventListener("click", () => fit());
    $("#whole").addEventListener("click", () => view.whole());
    view.point_out(null);
  }
  for (const button of $$(".pick")) button.addEventListener("click", () => choose([button.dataset.unit]));
  for (const button of $$(".compare")) button.addEventListener("click", () => compare(button.dataset.unit));
  for (const item of $$(".ends li[data-end]")) {
    const unit = byId.get(item.closest("article").dataset.unit), end = unit.ends[Number(item.dataset.end)];
    const on = () => { route(unit, end); if (view) view.point_out(view.byName.get(end.hex) || null); };
    item.addEventListener("pointerenter", on);
    item.addEventListener("focus", on);
    item.addEventListener("pointerleave", () => route(null, null));
    item.addEventListener("blur", () => route(null, null));
  }
  for (const item of $$(".hexes li[data-hex], .tags li[data-hex]")) item.addEventListener("pointerenter", () => view && view.point_out(view.byName.get(item.dataset.hex) || null));
  shortcuts({
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    c: () => compare(), "+": () => view && view.zoom(0.72), "=": () => view && view.zoom(0.72), "-": () => view && view.zoom(1.39), 0: () => fit(),
    Escape: () => choose([]),
  });
  document.addEventListener("language", () => view && showHex(view.cursor));
  root.classList.add("js");
  const asked = new URLSearchParams(location.hash.slice(1));
  choose([asked.get("unit"), asked.get("with")].filter(Boolean), { move: false });
  fit(false);
  addEventListener("beforeprint", () => { if (view) view.fit(DATA.box ? [DATA.box[0], DATA.box[1], DATA.box[2] - DATA.box[0], DATA.box[3] - DATA.box[1]] : view.box, false); });
})();
