"use strict";
/* The charts of the page. */
let data = JSON.parse(document.getElementById("data").textContent);
const tip = document.getElementById("tip");
const HEIGHT = 300, LEFT = 52, TOP = 34, BOTTOM = 40, LETTER = 6.6;
let form = "paper", what = "score";

const number = (x) =>
  x.toLocaleString("en", Math.abs(x) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 1 });
const thickness = (groups, k) => 2 + Math.min(1.6, 4 / groups.length) * (groups.length - 1 - k);
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

/* A drawing without content, as wide as the page has room for; returns its width. */
function emptied(svg) {
  const width = Math.max(svg.clientWidth, 240);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  svg.setAttribute("height", HEIGHT);
  return width;
}

function scale(svg, most, y, right) {
  for (const value of ticks(most, 5)) {
    draw(svg, "path", { d: `M${LEFT} ${y(value)}H${right}`, class: "grid" });
    draw(svg, "text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value));
  }
}

function plot(svg, one, skip) {
  const width = emptied(svg);
  const last = one.frames.at(-1);
  const drawn = one.groups.flatMap((g) =>
    [...g.trials.flat(), ...beside(g, -1), ...beside(g, 1), ...g.paper.map((p) => p[2])]).filter((y) => y !== null);
  if (!drawn.length) {
    draw(svg, "text", { x: width / 2, y: HEIGHT / 2, "text-anchor": "middle" }, `${data.quantities[what]}: not known here`);
    svg.onpointermove = svg.onpointerleave = svg.onkeydown = svg.onfocus = null;
    return;
  }
  // A margin below: a curve at 0 lies above the axis. On the right: room for the names, if there is any.
  const top = Math.max(...drawn, what === "score" ? 1 : 0) || 1, low = Math.min(...drawn, 0), margin = 0.05 * (top - low);
  const most = top + margin, least = low - margin;
  const named = width > 520, letters = Math.max(...one.groups.map((g) => g.label.length));
  const right = width - (named ? 22 + letters * LETTER : 24);
  const x = (f) => LEFT + (right - LEFT) * f / last;
  const y = (v) => v === null ? null : HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (v - least) / (most - least);
  axes(svg, one, skip, { x, y, right, last, most: top });
  const xs = one.frames.map(x);
  one.groups.forEach((group, k) => curves(svg, group, xs, y, thickness(one.groups, k)));
  for (const group of one.groups) {
    for (const [frames, low, high] of group.paper) {
      const [px, a, b] = [x(frames), y(low), y(high)], c = (a + b) / 2;
      const d = `M${px - 4} ${a}h8m-4 0V${b}m-4 0h8M${px - 5} ${c - 5}l10 10m0 -10l-10 10`;
      draw(svg, "path", { d, stroke: group.colour, "stroke-width": 2, fill: "none", class: "paper" });
    }
  }
  if (named) names(svg, one.groups, xs, y, right);
  hover(svg, one, skip, { x, y, right, last });
}

/* The name of each curve at its end; names that would overlap are moved apart. */
function names(svg, groups, xs, y, right) {
  const ends = groups.map((g) => [g, g.mean.findLastIndex((m) => m !== null)]).filter(([, k]) => k >= 0)
    .map(([g, k]) => ({ g, x: xs[k], y: y(g.mean[k]), at: y(g.mean[k]) })).sort((a, b) => a.y - b.y);
  ends.forEach((end, k) => { if (k) end.at = Math.max(end.at, ends[k - 1].at + 15); });
  for (let k = ends.length - 1, most = HEIGHT - BOTTOM + 4; k >= 0; k--, most -= 15) ends[k].at = Math.min(ends[k].at, most);
  for (const end of ends) {
    draw(svg, "path", { d: `M${end.x} ${end.y}L${right + 14} ${end.at}`, stroke: end.g.colour });
    draw(svg, "text", { x: right + 17, y: end.at + 4, class: "end" }, end.g.label);
  }
}

function axes(svg, one, skip, { x, y, right, last, most }) {
  const wide = Math.max(2, Math.floor(right / 110)), middle = (LEFT + right) / 2;
  scale(svg, most, y, right);
  for (const value of ticks(last, wide)) {
    draw(svg, "text", { x: x(value), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, short(value));
  }
  draw(svg, "text", { x: middle, y: HEIGHT - 6, "text-anchor": "middle" }, one.unit);
  if (skip !== null) {
    for (const value of ticks(last / skip, wide)) {
      draw(svg, "text", { x: x(value * skip), y: TOP - 6, "text-anchor": "middle" }, short(value));
    }
    draw(svg, "text", { x: middle, y: 11, "text-anchor": "middle" }, "decisions");
  }
}

function curves(svg, group, xs, y, thick) {
  const line = (ys, attributes) =>
    draw(svg, "path", { d: path(xs, ys.map(y)), fill: "none", stroke: group.colour, ...attributes });
  const shade = (low, high) =>
    draw(svg, "path", { d: area(xs, low.map(y), high.map(y)), fill: group.colour, "fill-opacity": 0.18 });
  if (group.trials.length > 1 && form === "paper") {
    shade(beside(group, -1), beside(group, 1));
    for (const ys of [group.low, group.high]) line(ys, { "stroke-dasharray": "4 3", "stroke-width": 0.8 });
  } else if (group.trials.length > 1) {
    shade(...group.band);
    for (const ys of group.trials) line(ys, { "stroke-width": 0.8, "stroke-opacity": 0.7 });
  }
  line(group.mean, { "stroke-width": thick, class: "mean" });
}

/* Values where one points, or where the arrow keys lead. */
function hover(svg, one, skip, { x, y, right }) {
  const cursor = draw(svg, "path", { class: "cursor", visibility: "hidden" });
  const points = one.groups.map((g) => draw(svg, "circle", { r: 5, fill: g.colour, class: "point", visibility: "hidden" }));
  const last = one.frames.length - 1;
  let at = last;
  const mark = (k, where) => {
    at = Math.min(Math.max(k, 0), last);
    cursor.setAttribute("d", `M${x(one.frames[at])} ${TOP}V${HEIGHT - BOTTOM}`);
    cursor.setAttribute("visibility", "visible");
    points.forEach((point, j) => {
      const mean = one.groups[j].mean[at];
      point.setAttribute("visibility", mean === null ? "hidden" : "visible");
      point.setAttribute("cx", x(one.frames[at]));
      point.setAttribute("cy", y(mean) ?? 0);
    });
    show(said(one, skip, at), where ?? corner(svg, x(one.frames[at])));
  };
  svg.onpointermove = (event) =>
    mark(Math.round((event.clientX - svg.getBoundingClientRect().left - LEFT) / (right - LEFT) * last), event);
  svg.onkeydown = (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    mark(to);
  };
  svg.onfocus = () => { if (svg.matches(":focus-visible")) mark(at); };
  svg.onpointerleave = svg.onblur = () => {
    tip.hidden = true;
    for (const mark of [cursor, ...points]) mark.setAttribute("visibility", "hidden");
  };
}

/* Where the words of a point of a chart go, when no pointer is there. */
function corner(svg, x) {
  const box = svg.getBoundingClientRect();
  return { clientX: box.left + x, clientY: box.top + TOP };
}

function said(one, skip, k) {
  const frames = one.frames[k];
  const lines = [`${number(frames)} ${one.unit}` + (skip === null ? "" : `, ${number(Math.round(frames / skip))} decisions`)];
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

/* Scores against β: a dot a trial, and the line of their means. */
function sweep(svg, one) {
  const right = emptied(svg) - 24, logs = one.points.map(([beta]) => Math.log(beta));
  const all = one.points.flatMap(([, scores]) => scores), most = Math.max(1, ...all), least = Math.min(0, ...all);
  const x = (log) => LEFT + 16 + (right - LEFT - 32) * (log - logs[0]) / (logs.at(-1) - logs[0]);
  const y = (v) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (v - least + 0.05 * most) / (1.1 * most - least);
  scale(svg, most, y, right);
  const means = one.points.map(([, scores]) => scores.length ? y(scores.reduce((a, b) => a + b) / scores.length) : null);
  draw(svg, "path", { d: path(logs.map(x), means), fill: "none", stroke: one.colour, "stroke-width": 2 });
  one.points.forEach(([beta, scores], k) => {
    draw(svg, "text", { x: x(logs[k]), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, beta);
    for (const score of scores) {
      const dot = draw(svg, "circle", { cx: x(logs[k]), cy: y(score), r: 5, fill: one.colour, class: "point" });
      dot.onpointermove = (event) => show(`β = ${beta}: ${number(score)}`, event);
      dot.onpointerleave = () => { tip.hidden = true; };
    }
  });
  draw(svg, "text", { x: (LEFT + right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "β");
}
