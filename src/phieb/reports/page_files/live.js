/* The page while runs go on: how far they are, and the last screens of one of them. */
const EVERY = 2000, PER_SECOND = 12, STRIP = 64; // milliseconds; decisions a second; height of a strip
const live = document.getElementById("live");
let chosen = null, version = null, seen = "", shown = null, at = 0;
let moving = !matchMedia("(prefers-reduced-motion: reduce)").matches;

add(live, "h2", "Now");
const overall = add(live, "p", "reading the runs …", { role: "status" });
const trials = add(add(live, "div", undefined, { class: "scroll", tabindex: 0, role: "group", "aria-label": "Trials" }), "table");
const screenBox = add(live, "div", undefined, { class: "now" });
const left = add(screenBox, "div"), right = add(screenBox, "div");
const screen = add(left, "img", undefined, { alt: "", width: 320, height: 240, hidden: "" });
const pause = add(left, "button", "", { type: "button", hidden: "" });
const caption = add(left, "p");
const heading = add(right, "h3", "Newest features");
const novel = add(right, "ul", undefined, { class: "novel" });
const strips = ["bonus of each decision here", "pseudocount, logarithmic", "bonus a decision, last episodes of the log"]
  .map((words) => ({ title: add(right, "h3", words), svg: draw(right, "svg", { role: "img", "aria-label": words, class: "strip" }) }));

function cells(row, texts) {
  for (const text of texts) add(row, "td", text);
}

function progress(cell, share) {
  add(cell, "progress", undefined, { value: share, max: 1, "aria-label": "share of all frames" });
  cell.append(` ${Math.floor(100 * share)} %`);
}

function list(rows) {
  const focused = document.activeElement?.dataset?.trial;
  trials.replaceChildren();
  const head = add(add(trials, "thead"), "tr");
  for (const word of ["trial", "state", "frames", "done", "time left", "frames/s", "episodes", "score, last 100"]) add(head, "th", word, { scope: "col" });
  const body = add(trials, "tbody");
  for (const one of rows) {
    const row = add(body, "tr");
    const button = add(add(row, "td"), "button", one.name, { type: "button", "data-trial": one.name,
      "aria-pressed": one.name === chosen, title: `${one.game}, ${one.agent}, seed ${one.seed}: show its screen` });
    button.onclick = () => { choose(one.name); list(rows); ask(); };
    if (one.name === focused) button.focus();
    cells(row, [one.state, `${short(one.frames)} of ${short(one.total)}`]);
    progress(add(row, "td"), Math.min(one.frames / one.total, 1));
    cells(row, [one.left ?? "", one.speed === null || one.state !== "running" ? "" : number(one.speed),
      number(one.episodes), one.score === null ? "" : number(one.score)]);
  }
}

function choose(name) {
  if (name === chosen) return;
  [chosen, seen, shown] = [name, "", null];
  screen.hidden = pause.hidden = true;
  caption.textContent = `${name}: reading its newest checkpoint …`;
  paint();
}

/* A strip of values from left to right; the mark is at one of them. */
function strip({ title, svg }, values, marked, logarithmic = false) {
  const known = values.filter((v) => v !== null);
  svg.style.display = known.length ? "" : "none";
  title.hidden = !known.length;
  if (!known.length) return;
  const width = Math.max(svg.clientWidth, 240), right = width - 8;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${STRIP}`);
  svg.setAttribute("height", STRIP);
  const f = logarithmic ? (v) => Math.log10(1 + v) : (v) => v;
  const most = Math.max(...known) || 1;
  const x = (k) => LEFT + (right - LEFT) * (values.length > 1 ? k / (values.length - 1) : 1);
  const y = (v) => STRIP - 6 - (STRIP - 20) * f(v) / f(most);
  for (const value of [0, most]) {
    draw(svg, "path", { d: `M${LEFT} ${y(value)}H${right}`, class: "grid" });
    draw(svg, "text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value));
  }
  const xs = values.map((_, k) => x(k));
  draw(svg, "path", { d: path(xs, values.map((v) => v === null ? null : y(v))), class: "line" });
  if (marked !== null && values[marked] !== null) {
    draw(svg, "circle", { cx: xs[marked], cy: y(values[marked]), r: 4, class: "dot" });
  }
}

function paint() {
  const moments = shown?.moments ?? [], one = moments[at];
  const rows = status?.trials.find((trial) => trial.name === chosen);
  strip(strips[2], rows?.bonuses ?? [], null);
  strip(strips[0], moments.map((m) => m.bonus), one ? at : null);
  strip(strips[1], moments.map((m) => m.pseudocount), one ? at : null, true);
  heading.hidden = !moments.some((m) => m.new.length);
  if (!one) { novel.replaceChildren(); return; }
  if (one.picture) screen.src = one.picture;
  if (at % PER_SECOND === 0 || !moving) words(one);
}

function words(one) {
  novel.replaceChildren();
  for (const [what, times] of one.new) add(add(novel, "li", `${what}: `), "strong", times);
}

/* The screens of a checkpoint, from the oldest to the newest, over and over. */
function play() {
  const moments = shown?.moments ?? [];
  if (!moving || moments.length < 2 || document.hidden) return;
  at = (at + 1) % moments.length;
  paint();
}

function look(found) {
  shown = found.moments ? found : null;
  screen.hidden = !shown?.moments.some((m) => m.picture);
  pause.hidden = !shown || shown.moments.length < 2;
  if (!shown) { caption.textContent = `${found.trial}: ${found.problem}`; paint(); return; }
  at = moving ? 0 : shown.moments.length - 1;
  const last = shown.moments.at(-1), row = status.trials.find((one) => one.name === found.trial);
  const many = shown.moments.length > 1 ? `the last ${shown.moments.length} decisions` : "the screen";
  caption.textContent = `${found.trial}: ${many} before its newest checkpoint, at ${number(found.frames)} ${row?.unit ?? "frames"}; ` +
    `score ${number(found.score)} in this episode, ${number(last.frames)} ${row?.unit ?? "frames"} long` +
    (last.room === null ? "" : `; room ${last.room}`) + ". Bright and outlined: new to the agent.";
  screen.alt = `a screen of ${found.trial}`;
  paint();
  words(shown.moments[at]);
}

let status = null;
function tell(found) {
  status = found;
  if (!chosen || !found.trials.some((one) => one.name === chosen)) {
    const first = found.trials.find((one) => one.state === "running" && one.bonuses.length) ??
      found.trials.find((one) => one.state === "running") ?? found.trials[0];
    if (first) choose(first.name);
  }
  const { running, done, left: time, frames, total } = found.overall;
  overall.textContent = found.trials.length ? `${found.trials.length} trials: ${running} running, ${done} done; ` +
    `${short(frames)} of ${short(total)} frames (${Math.floor(100 * frames / total)} %)` +
    (time ? `; those that run need about ${time} more` : "") : "no runs here yet";
  list(found.trials);
  if (found.look) { seen = found.look_number; look(found.look); } else paint();
}

async function get(what) {
  const answer = await fetch(what, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

let asking = false;
async function ask() {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const found = await get(`now?trial=${encodeURIComponent(chosen ?? "")}&seen=${encodeURIComponent(seen)}`);
    if (found.look && found.look.trial !== chosen) found.look = null;
    tell(found);
    if (found.version !== version) {
      if (version !== null) { data = await get("data"); content(); }
      version = found.version;
    }
  } catch {
    overall.textContent = "phieb watch does not answer any more; the page shows what it said last";
  }
  asking = false;
}

pause.onclick = () => {
  moving = !moving;
  pause.textContent = moving ? "pause" : "play";
  paint();
};
pause.textContent = moving ? "pause" : "play";
live.hidden = false;
setInterval(play, 1000 / PER_SECOND);
setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
ask();
