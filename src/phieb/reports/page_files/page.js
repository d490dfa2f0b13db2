"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const tip = document.getElementById("tip");
const HEIGHT = 300, LEFT = 52, RIGHT = 24, TOP = 34, BOTTOM = 40;
let form = "paper";

const number = (x) => x.toLocaleString("en", { maximumFractionDigits: 1 });
const short = (x) => x === 0 ? "0" : x < 1e5 ? `${+(x / 1e3).toPrecision(3)} k` : `${+(x / 1e6).toPrecision(3)} M`;

function add(parent, name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent.appendChild(made);
}

function draw(parent, name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return parent.appendChild(made);
}

function ticks(most, about) {
  const rough = most / about, unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((s) => s >= rough);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, k) => k * step);
}

/* A path through the points that are known. */
function path(xs, ys) {
  let d = "", pen = "M";
  ys.forEach((y, k) => {
    if (y === null) pen = "M";
    else { d += `${pen}${xs[k].toFixed(1)} ${y.toFixed(1)}`; pen = "L"; }
  });
  return d;
}

function area(xs, low, high) {
  const known = xs.map((_, k) => k).filter((k) => low[k] !== null && high[k] !== null);
  const there = known.map((k) => `${xs[k].toFixed(1)} ${low[k].toFixed(1)}`);
  const back = known.reverse().map((k) => `${xs[k].toFixed(1)} ${high[k].toFixed(1)}`);
  return known.length ? `M${[...there, ...back].join("L")}Z` : "";
}

/* One standard deviation below or above the mean. */
function beside(group, sign) {
  return group.mean.map((m, k) => m === null ? null : m + sign * group.sd[k]);
}

function plot(svg, one, skip) {
  svg.replaceChildren();
  const width = Math.max(svg.clientWidth, 240);
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  svg.setAttribute("height", HEIGHT);
  const last = one.frames.at(-1);
  const drawn = one.groups.flatMap((g) =>
    [...g.trials.flat(), ...beside(g, -1), ...beside(g, 1), ...g.paper.map((p) => p[2])]).filter((y) => y !== null);
  const most = Math.max(...drawn, 1) * 1.05, least = Math.min(...drawn, 0);
  const x = (f) => LEFT + (width - LEFT - RIGHT) * f / last;
  const y = (v) => v === null ? null : HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (v - least) / (most - least);
  axes(svg, one, skip, { x, y, width, last, most });
  const xs = one.frames.map(x);
  for (const group of one.groups) curves(svg, group, xs, y);
  for (const group of one.groups) {
    for (const [frames, low, high] of group.paper) {
      const [px, a, b] = [x(frames), y(low), y(high)], c = (a + b) / 2;
      const d = `M${px} ${a}V${b}M${px - 5} ${c - 5}l10 10m0 -10l-10 10`;
      draw(svg, "path", { d, stroke: group.colour, "stroke-width": 2, fill: "none", class: "paper" });
    }
  }
  hover(svg, one, skip, { x, width, last });
}

function axes(svg, one, skip, { x, y, width, last, most }) {
  const wide = Math.max(2, Math.floor(width / 110));
  for (const value of ticks(most, 5)) {
    draw(svg, "path", { d: `M${LEFT} ${y(value)}H${width - RIGHT}`, class: "grid" });
    draw(svg, "text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value));
  }
  for (const value of ticks(last, wide)) {
    draw(svg, "text", { x: x(value), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, short(value));
  }
  draw(svg, "text", { x: width / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "frames");
  if (skip !== null) {
    for (const value of ticks(last / skip, wide)) {
      draw(svg, "text", { x: x(value * skip), y: TOP - 6, "text-anchor": "middle" }, short(value));
    }
    draw(svg, "text", { x: width / 2, y: 11, "text-anchor": "middle" }, "decisions");
  }
}

function curves(svg, group, xs, y) {
  const line = (ys, attributes) =>
    draw(svg, "path", { d: path(xs, ys.map(y)), fill: "none", stroke: group.colour, ...attributes });
  const shade = (low, high) =>
    draw(svg, "path", { d: area(xs, low.map(y), high.map(y)), fill: group.colour, "fill-opacity": 0.18 });
  if (form === "paper") {
    shade(beside(group, -1), beside(group, 1));
    for (const ys of [group.low, group.high]) line(ys, { "stroke-dasharray": "4 3", "stroke-width": 0.8 });
  } else {
    shade(...group.band);
    for (const ys of group.trials) line(ys, { "stroke-width": 0.8, "stroke-opacity": 0.7 });
  }
  line(group.mean, { "stroke-width": 2, class: "mean" });
}

function hover(svg, one, skip, { x, width, last }) {
  const cursor = draw(svg, "path", { class: "cursor", visibility: "hidden" });
  svg.onpointermove = (event) => {
    const at = (event.clientX - svg.getBoundingClientRect().left) * width / svg.clientWidth;
    const share = (at - LEFT) / (width - LEFT - RIGHT);
    const k = Math.round(Math.min(Math.max(share, 0), 1) * (one.frames.length - 1));
    cursor.setAttribute("d", `M${x(one.frames[k])} ${TOP}V${HEIGHT - BOTTOM}`);
    cursor.setAttribute("visibility", "visible");
    show(said(one, skip, k), event);
  };
  svg.onpointerleave = () => { tip.hidden = true; cursor.setAttribute("visibility", "hidden"); };
}

function said(one, skip, k) {
  const frames = one.frames[k];
  const lines = [`${number(frames)} frames` + (skip === null ? "" : `, ${number(Math.round(frames / skip))} decisions`)];
  for (const group of one.groups) {
    const known = group.trials.map((trial) => trial[k]).filter((v) => v !== null);
    if (group.mean[k] === null) {
      lines.push(`${group.label}: ${known.length} of ${group.trials.length} trials are here`);
    } else if (known.length === 1) {
      lines.push(`${group.label}: ${number(known[0])}`);
    } else {
      const spread = form === "paper" ? `± ${number(group.sd[k])} sd`
        : `95 % ${number(group.band[0][k])} to ${number(group.band[1][k])}`;
      lines.push(`${group.label}: mean ${number(group.mean[k])}, ${spread}, trials ${known.map(number).join(", ")}`);
    }
  }
  return lines.join("\n");
}

function show(text, event) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 4))}px`;
  tip.style.top = `${Math.max(4, Math.min(event.clientY + 14, innerHeight - box.height - 4))}px`;
}

const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

function colour(share) {
  const at = share * (VIRIDIS.length - 1), k = Math.min(Math.floor(at), VIRIDIS.length - 2);
  const mixed = VIRIDIS[k].map((c, i) => Math.round(c + (VIRIDIS[k + 1][i] - c) * (at - k)));
  return `rgb(${mixed.join(" ")})`;
}

function map(parent, one) {
  add(parent, "h3", `${one.label}: decisions in each room`);
  const svg = draw(parent, "svg", { viewBox: "0 0 360 160", class: "map", role: "img" });
  const most = Math.log(Math.max(10, ...one.rooms.map((room) => room.visits)));
  for (const { room, place: [row, column], visits } of one.rooms) {
    const share = visits ? Math.log(visits) / most : 0;
    const box = draw(svg, "rect", { x: column * 40, y: row * 40, width: 38, height: 36,
      fill: visits ? colour(share) : "#8883" });
    const ink = visits ? `fill: ${share < 0.6 ? "#fff" : "#000"}` : "";
    const label = draw(svg, "text", { x: column * 40 + 19, y: row * 40 + 22, "text-anchor": "middle", style: ink }, room);
    for (const part of [box, label]) {
      part.onpointermove = (event) => show(`room ${room}: ${number(visits)} decisions`, event);
      part.onpointerleave = () => { tip.hidden = true; };
    }
  }
}

function table(parent, title, [header, ...rows]) {
  add(parent, "h2", title);
  const made = add(add(parent, "div", undefined, { class: "scroll" }), "table");
  const head = add(add(made, "thead"), "tr");
  for (const cell of header) add(head, "th", cell);
  const body = add(made, "tbody");
  for (const row of rows) {
    const line = add(body, "tr");
    for (const cell of row) add(line, "td", cell);
  }
}

function run(parent, one) {
  const details = add(parent, "details");
  const { row } = one;
  const evaluated = row.evaluation_mean ? `, evaluation ${row.evaluation_mean}` : "";
  add(details, "summary", `${one.name}: ${number(+row.frames)} frames, training ${row.score}${evaluated}`);
  add(add(details, "p"), "code", one.command);
  const facts = { ...row, decisions: number(one.decisions), frames: number(+row.frames) };
  table(details, "What came of it", [["", ""], ...Object.entries(facts).filter(([, value]) => value !== "")]);
  table(details, "Settings", [["", ""], ...Object.entries(one.settings)]);
  table(details, "Versions", [["", ""], ...Object.entries(one.versions)]);
}

const plots = [];

function game(parent, one) {
  const box = add(parent, "article", undefined, { class: "game" });
  add(box, "h2", one.title);
  if (one.still) add(box, "img", undefined, { src: one.still, alt: `a screen of ${one.title}` });
  const right = add(box, "div");
  const keys = add(right, "p");
  for (const { label, colour: c, names } of one.plots[0].groups) {
    const key = add(keys, "span", undefined, { class: "key" });
    add(key, "i").style.background = c;
    key.append(`${label} (${names.length} trial${names.length > 1 ? "s" : ""})`);
  }
  if (one.plots[0].groups.some((g) => g.paper.length)) add(keys, "span", "× the paper's Figure 1, about", { class: "key" });
  for (const each of one.plots) {
    add(right, "h3", each.what);
    const svg = draw(right, "svg", { role: "img", "aria-label": `${one.title}: ${each.what} against frames` });
    plots.push(() => plot(svg, each, one.frame_skip));
  }
  for (const each of one.maps) map(right, each);
}

function page() {
  document.title = `${data.title}: phieb report`;
  document.querySelector("h1").textContent = data.title;
  document.getElementById("about").textContent =
    "Game scores without bonus; training scores are means of the last hundred episodes. " +
    `Made by phieb ${data.version}: ${data.command}`;
  for (const one of data.games) game(document.getElementById("games"), one);
  for (const { title, rows } of data.tables) table(document.getElementById("tables"), title, rows);
  for (const one of data.runs) run(document.getElementById("runs"), one);
  if (data.left_out.length) {
    const section = document.getElementById("left-out");
    add(section, "h2", "Left out");
    for (const line of data.left_out) add(section, "p", line, { class: "warning" });
  }
  for (const button of document.querySelectorAll("button")) {
    button.onclick = () => {
      form = button.dataset.form;
      for (const other of document.querySelectorAll("button")) {
        other.setAttribute("aria-pressed", String(other === button));
      }
      plots.forEach((redraw) => redraw());
    };
  }
  plots.forEach((redraw) => redraw());
  addEventListener("resize", () => plots.forEach((redraw) => redraw()));
}

page();
