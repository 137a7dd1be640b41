"use strict";
// The live view: listens for files that are done, lists them, shows the report of the newest.
// Texts of games enter the page as text nodes only; reports live in a sandboxed frame.

const TEXTS = {
  en: {
    follow: "Show the newest by itself",
    recent: "Recent files",
    empty: "No file yet. Save a game in VASSAL, or put a log into the watched folder.",
    connected: "Watching",
    lost: "No connection; trying again …",
    ended: "The watcher has ended.",
    notify: "Notify me",
    notifying: "Notifications are on",
    denied: "Notifications are blocked by the browser",
  },
  zh: {
    follow: "自动显示最新文件",
    recent: "最近的文件",
    empty: "尚无文件。请在 VASSAL 中存档，或把日志放入监视的文件夹。",
    connected: "正在监视",
    lost: "连接中断，正在重试……",
    ended: "监视已结束。",
    notify: "通知我",
    notifying: "通知已开启",
    denied: "浏览器禁止了通知",
  },
};
const SIGNS = { bad: "!! ", warn: "! ", good: "" }; // as on the console: colour is never the only sign
const texts = document.documentElement.lang.startsWith("zh") ? TEXTS.zh : TEXTS.en;
const byId = (id) => document.getElementById(id);
const items = new Map(); // name -> item, oldest first
let current = null;
let settled = false; // the items that were there when the page was opened have arrived

for (const element of document.querySelectorAll("[data-text]")) {
  element.textContent = texts[element.dataset.text];
}

function take(item) {
  items.delete(item.name);
  items.set(item.name, item);
  list();
  const wanted = byId("follow").checked && (item.page || current === null);
  if (wanted || (current !== null && current.name === item.name)) {
    show(item);
  }
  if (settled) {
    notify(item);
  }
}

function list() {
  const rows = [...items.values()].reverse().map((item) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = item.mark;
    button.setAttribute("aria-current", String(current !== null && current.name === item.name));
    button.append(span("time", item.time), span("name", item.name));
    button.append(span("finding", SIGNS[item.mark] + item.headline));
    button.addEventListener("click", () => {
      byId("follow").checked = newest() === item;
      show(item);
    });
    const row = document.createElement("li");
    row.append(button);
    return row;
  });
  byId("recent").replaceChildren(...rows);
}

function span(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}

function newest() {
  return [...items.values()].at(-1);
}

function show(item) {
  current = item;
  document.title = `${item.name} – vassal-bridge`;
  byId("title").textContent = item.name;
  byId("headline").textContent = SIGNS[item.mark] + item.headline;
  byId("headline").className = item.mark;
  byId("files").replaceChildren(
    ...item.files.map((name, index) => {
      const link = document.createElement("a");
      link.href = `file/${item.number}/${index}`;
      link.download = name;
      link.textContent = name;
      return link;
    }),
  );
  byId("empty").hidden = true;
  const frame = byId("page");
  frame.hidden = !item.page;
  if (item.page) {
    frame.title = item.name;
    frame.src = `page/${item.number}`;
  } else {
    frame.removeAttribute("src");
  }
  list();
}

// --- notifications, only when wished ---

function label() {
  const button = byId("notify");
  if (!("Notification" in window)) {
    return;
  }
  button.hidden = false;
  const state = Notification.permission;
  button.disabled = state !== "default";
  button.textContent =
    state === "granted" ? texts.notifying : state === "denied" ? texts.denied : texts.notify;
}

function notify(item) {
  if ("Notification" in window && Notification.permission === "granted" && !document.hasFocus()) {
    const note = new Notification(item.name, { body: SIGNS[item.mark] + item.headline, tag: item.name });
    note.addEventListener("click", () => {
      window.focus();
      show(item);
    });
  }
}

byId("notify").addEventListener("click", () => Notification.requestPermission().then(label));
byId("follow").addEventListener("change", () => {
  if (byId("follow").checked && items.size) {
    show(newest());
  }
});
label();

// --- the stream ---

const source = new EventSource("events");
source.addEventListener("open", () => {
  byId("state").textContent = texts.connected;
  setTimeout(() => { settled = true; }, 1000);
});
source.addEventListener("error", () => { byId("state").textContent = texts.lost; });
source.addEventListener("file", (event) => take(JSON.parse(event.data)));
source.addEventListener("end", () => {
  byId("state").textContent = texts.ended;
  source.close();
});
