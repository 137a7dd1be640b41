"use strict";
const root = document.documentElement;
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const DATA = JSON.parse($("#data").textContent);
const remember = {
  get(key) { try { return localStorage.getItem("vassal-bridge." + key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem("vassal-bridge." + key, value); } catch { /* files may not */ } },
};
const SVG = "http://www.w3.org/2000/svg";

/* Words in the language shown; `{name}` is filled in. */
function say(key, facts = {}) {
  const text = (DATA.words[root.dataset.lang] || DATA.words.en)[key] || key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in facts ? facts[name] : whole));
}
/* Counters with their states, as the card tells them. */
function told(counters) {
  const lang = root.dataset.lang === "zh" ? 1 : 0;
  return counters.map(([name, ...states]) => [name, ...states.map((state) => (DATA.states[state] || [state, state])[lang])].join(" ")).join(say("list.sep"));
}
function make(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/* The map: a window onto the picture, moved and zoomed by its viewBox. */
class MapView {
  constructor(holder, onHex, onPick) {
    this.holder = holder;
    this.svg = $("svg", holder);
    this.hexes = DATA.hexes.map(([name, x, y, terrain, level]) => ({ name, x, y, terrain, level }));
    this.byName = new Map(this.hexes.map((hex) => [hex.name, hex]));
    this.onHex = onHex;
    this.onPick = onPick;
    this.box = [0, 0, DATA.width, DATA.height];
    this.cursor = null;
    this.pointers = new Map();
    this.badges = this.anchored();
    this.listen();
    new ResizeObserver(() => this.show(this.box)).observe(holder);
  }
  size() {
    const place = this.holder.getBoundingClientRect();
    return [Math.max(1, place.width), Math.max(1, place.height)];
  }
  show(box) {
    const [w, h] = this.size();
    const aspect = w / h;
    let [x, y, bw, bh] = box;
    const cx = x + bw / 2, cy = y + bh / 2;
    if (bw / bh < aspect) bw = bh * aspect; else bh = bw / aspect;
    const most = Math.max(DATA.width, DATA.height * aspect) * 1.15, least = DATA.hexWidth * 2.5;
    const scale = Math.min(Math.max(bw, least), most) / bw;
    bw *= scale; bh *= scale;
    x = Math.min(Math.max(cx, 0), DATA.width) - bw / 2;
    y = Math.min(Math.max(cy, 0), DATA.height) - bh / 2;
    this.box = [x, y, bw, bh];
    this.svg.setAttribute("viewBox", this.box.map((n) => n.toFixed(2)).join(" "));
    this.grow(w / bw);
  }
  /* The badges, each with the edge of the counters it hangs on. */
  anchored() {
    const units = new Map((DATA.units || []).map((unit) => [unit.id, this.byName.get(unit.hex)]));
    const found = [];
    for (const node of $$(".badge", this.svg)) {
      const hex = units.get(node.dataset.unit), box = $("rect", node);
      if (!hex || !box) continue;
      const [y, height] = ["y", "height"].map((name) => Number(box.getAttribute(name)));
      const below = y + height / 2 > hex.y;
      found.push({ node, hex, x: hex.x, y: hex.y + (below ? 1 : -1) * DATA.hexHeight * 0.23 });
    }
    // as large as they may become without lying on one another
    this.mostGrown = 5;
    for (const a of found) for (const b of found) {
      if (a.hex === b.hex) continue;
      const apart = Math.max(Math.abs(a.x - b.x) / (DATA.hexWidth * 1.05), Math.abs(a.y - b.y) / (DATA.hexHeight * 0.45));
      this.mostGrown = Math.min(this.mostGrown, Math.max(1, apart));
    }
    return found;
  }
  /* Badges stay readable where the map is shown small. */
  grow(pixels) {
    const wanted = 70 / (pixels * DATA.hexHeight);
    const scale = Math.min(Math.max(wanted, 1), this.mostGrown).toFixed(2);
    if (scale === this.grown) return;
    this.grown = scale;
    for (const { node, x, y } of this.badges) {
      node.setAttribute("transform", `translate(${(x * (1 - scale)).toFixed(1)} ${(y * (1 - scale)).toFixed(1)}) scale(${scale})`);
    }
  }
  /* A box with room for what lies over the map: the buttons on the right, the card below. */
  roomy([x, y, w, h]) {
    const [wide, high] = this.size();
    const buttons = $(".zoom"), card = $("#hexcard");
    const right = buttons ? Math.min(buttons.offsetWidth + 16, wide * 0.2) : 0;
    const below = card ? Math.min(card.offsetHeight + 16, high * 0.16) : 0;
    const scale = Math.max(w / (wide - right), h / (high - below));
    return [x + w / 2 - scale * (wide - right) / 2, y + h / 2 - scale * (high - below) / 2, scale * wide, scale * high];
  }
  /* The whole map, with room for the counters and badges of half hexes on its edge. */
  whole(smooth = true) {
    const edge = DATA.hexHeight * 0.7;
    this.fit([-edge, -edge, DATA.width + 2 * edge, DATA.height + 2 * edge], smooth);
  }
  fit(inner, smooth = true) {
    const box = this.roomy(inner);
    const still = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    cancelAnimationFrame(this.frame);
    if (still) { this.show(box); return; }
    const from = [...this.box], start = performance.now();
    this.show(box);
    const to = [...this.box];
    const step = (now) => {
      const t = Math.min(1, (now - start) / 260), e = 1 - (1 - t) ** 3;
      this.show(from.map((n, i) => n + (to[i] - n) * e));
      if (t < 1) this.frame = requestAnimationFrame(step);
    };
    this.show(from);
    this.frame = requestAnimationFrame(step);
  }
  zoom(factor, at) {
    cancelAnimationFrame(this.frame);
    const [x, y, w, h] = this.box;
    const [px, py] = at || [x + w / 2, y + h / 2];
    this.show([px - (px - x) * factor, py - (py - y) * factor, w * factor, h * factor]);
  }
  pan(dx, dy) {
    cancelAnimationFrame(this.frame);
    const [x, y, w, h] = this.box;
    this.show([x + dx, y + dy, w, h]);
  }
  point(event) {
    const place = this.holder.getBoundingClientRect();
    const [x, y, w, h] = this.box;
    return [x + ((event.clientX - place.left) / place.width) * w, y + ((event.clientY - place.top) / place.height) * h];
  }
  hexAt([x, y]) {
    let best = null, least = Infinity;
    for (const hex of this.hexes) {
      const d = (hex.x - x) ** 2 + (hex.y - y) ** 2;
      if (d < least) { least = d; best = hex; }
    }
    return best && least <= (DATA.hexHeight * 0.62) ** 2 ? best : null;
  }
  range(a, b) {
    const dx = Math.abs(a.x - b.x) / DATA.hexWidth, dy = Math.abs(a.y - b.y) / DATA.hexHeight;
    return Math.round(dx + Math.max(0, dy - dx / 2));
  }
  point_out(hex) {
    this.cursor = hex;
    const ring = $("#cursor"), inner = $("#cursor2");
    for (const node of [ring, inner]) {
      node.classList.toggle("off", !hex);
      if (hex) node.setAttribute("transform", `translate(${hex.x} ${hex.y})`);
    }
    this.onHex(hex);
    const card = $("#hexcard");
    if (card) card.classList.toggle("aside", Boolean(hex) && this.underCard(hex));
  }
  /* Whether the card at its usual place, lower left or along the lower edge, could hide a hex. */
  underCard(hex) {
    const [x, y, w, h] = this.box;
    const across = (hex.x - x) / w, down = (hex.y - y) / h;
    return down > 0.5 && (across < 0.5 || matchMedia("(max-width: 859px)").matches);
  }
  listen() {
    const holder = this.holder;
    holder.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      this.pointers.set(event.pointerId, event);
      this.moved = false;
      this.grip = this.point(event);
    });
    holder.addEventListener("pointermove", (event) => {
      const held = this.pointers.get(event.pointerId);
      if (!held) {
        if (event.pointerType !== "touch") {
          const hex = this.hexAt(this.point(event));
          if (hex !== this.cursor) this.point_out(hex);
        }
        return;
      }
      const [a, b] = [...this.pointers.values()];
      if (this.pointers.size === 2) {
        const other = a.pointerId === event.pointerId ? b : a;
        const before = Math.hypot(held.clientX - other.clientX, held.clientY - other.clientY);
        const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
        const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
        if (after > 0) this.zoom(before / after, this.point(middle));
        this.moved = true;
      } else if (this.moved || Math.hypot(event.clientX - held.clientX, event.clientY - held.clientY) > 5) {
        if (!this.moved) { this.moved = true; holder.setPointerCapture(event.pointerId); }
        const now = this.point(event);
        this.pan(this.grip[0] - now[0], this.grip[1] - now[1]);
      }
      if (this.moved) this.pointers.set(event.pointerId, event);
    });
    const release = (event) => {
      const held = this.pointers.delete(event.pointerId);
      if (held && !this.moved && event.type === "pointerup") this.tap(event);
    };
    holder.addEventListener("pointerup", release);
    holder.addEventListener("pointercancel", release);
    holder.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch" && !this.pointers.size) this.point_out(null);
    });
    holder.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(Math.min(Math.max(event.deltaY, -120), 120) / 420), this.point(event));
    }, { passive: false });
    holder.addEventListener("dblclick", (event) => this.zoom(0.6, this.point(event)));
    holder.addEventListener("keydown", (event) => this.key(event));
  }
  tap(event) {
    const sign = event.target.closest && event.target.closest(".badge, .counter");
    const hex = this.hexAt(this.point(event));
    this.point_out(hex);
    this.onPick(sign ? sign.dataset.unit || sign.dataset.id : null, hex);
  }
  key(event) {
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y, w, h] = this.box;
    if (event.shiftKey) { this.pan(way[0] * w * 0.12, way[1] * h * 0.12); return; }
    const start = this.cursor || this.hexAt([x + w / 2, y + h / 2]) || this.hexes[0];
    if (!this.cursor) { this.point_out(start); return; }
    let best = null, least = Infinity;
    for (const hex of this.hexes) {
      const dx = hex.x - start.x, dy = hex.y - start.y;
      const ahead = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (hex === start || ahead <= 1 || Math.hypot(dx, dy) > DATA.hexHeight * 1.15) continue;
      const cost = aside + ahead * 0.2;
      if (cost < least) { least = cost; best = hex; }
    }
    if (!best) return;
    const margin = DATA.hexHeight * 1.2;
    const out = [Math.min(0, best.x - margin - x) || Math.max(0, best.x + margin - x - w), Math.min(0, best.y - margin - y) || Math.max(0, best.y + margin - y - h)];
    if (out[0] || out[1]) this.pan(...out);
    this.point_out(best);
  }
}

/* Language, theme, labels, help: the same on every page. */
function setLanguage(lang) {
  root.dataset.lang = lang;
  root.lang = lang === "zh" ? "zh-CN" : "en";
  for (const node of $$("[data-label]")) { node.setAttribute("aria-label", say(node.dataset.label)); if (node.tagName === "BUTTON") node.title = say(node.dataset.label); }
  for (const node of $$("[data-tip]")) { node.title = say(node.dataset.tip); node.setAttribute("aria-label", node.title); }
  for (const node of $$(".rule")) node.title = (DATA.rules[node.textContent] || [])[lang === "zh" ? 1 : 0] || "";
  document.title = DATA.title[lang];
  remember.set("lang", lang);
}
function setTheme(theme) {
  if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
  remember.set("theme", theme || "");
}
function commonControls() {
  setTheme(remember.get("theme"));
  const asked = new URLSearchParams(location.hash.slice(1)).get("lang");
  setLanguage(["en", "zh"].includes(asked) ? asked : root.dataset.lang);
  $("#lang").addEventListener("click", toggleLanguage);
  $("#theme").addEventListener("click", toggleTheme);
  const keys = $("#keys");
  $("#help").addEventListener("click", () => keys.showModal());
}
function toggleLanguage() { setLanguage(root.dataset.lang === "en" ? "zh" : "en"); document.dispatchEvent(new Event("language")); }
function toggleTheme() {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
}
/* Keys that work anywhere on the page; typing in a field is left alone. */
function shortcuts(table) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const act = { l: toggleLanguage, d: toggleTheme, "?": () => $("#keys").showModal(), ...table }[event.key];
    if (act) { event.preventDefault(); act(event); }
  });
}
