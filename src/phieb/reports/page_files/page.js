/* The page around the charts. */
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

function colour(share) {
  const at = share * (VIRIDIS.length - 1), k = Math.min(Math.floor(at), VIRIDIS.length - 2);
  const mixed = VIRIDIS[k].map((c, i) => Math.round(c + (VIRIDIS[k + 1][i] - c) * (at - k)));
  return `rgb(${mixed.join(" ")})`;
}

function map(parent, one) {
  const words = `${one.label}: decisions in each room`;
  add(parent, "h3", words);
  const svg = draw(parent, "svg", { viewBox: "0 0 360 160", class: "map", role: "img", "aria-label": words });
  const highest = Math.max(10, ...one.rooms.map((room) => room.visits)), most = Math.log(highest);
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
  const key = add(parent, "p", "1 ", { class: "key" });
  add(key, "i").style.background = `linear-gradient(90deg, ${[0, 1, 2, 3, 4].map((k) => colour(k / 4)).join()})`;
  key.append(`${number(highest)} decisions, logarithmic; grey: never visited`);
}

function table(parent, title, [header, ...rows], level = "h2") {
  const box = add(parent, "section", undefined, { class: "table" });
  add(box, level, title);
  const region = add(box, "div", undefined, { class: "scroll", tabindex: 0, role: "group", "aria-label": title });
  const made = add(region, "table");
  if (header.some((cell) => cell)) {
    const head = add(add(made, "thead"), "tr");
    for (const cell of header) add(head, "th", cell, { scope: "col" });
  }
  const body = add(made, "tbody");
  for (const row of rows) {
    const line = add(body, "tr");
    for (const cell of row) add(line, "td", cell);
  }
}

function run(parent, one) {
  const details = add(parent, "details", undefined, { "data-run": one.name });
  const { row } = one;
  const evaluated = row.evaluation_mean ? `, evaluation ${row.evaluation_mean}` : "";
  add(details, "summary", `${one.name}: ${number(+row.frames)} frames, training ${row.score}${evaluated}`);
  add(add(details, "p"), "code", one.command);
  const facts = { ...row, decisions: number(one.decisions), frames: number(+row.frames) };
  const beside = add(details, "div", undefined, { class: "beside" });
  table(beside, "What came of it", [["", ""], ...Object.entries(facts).filter(([, value]) => value !== "")], "h3");
  table(beside, "Settings", [["", ""], ...Object.entries(one.settings)], "h3");
  table(beside, "Versions", [["", ""], ...Object.entries(one.versions)], "h3");
}

/* The film of an agent, or the way to it. */
function film(parent, one) {
  const size = `${number(one.megabytes)} MB`, box = add(parent, "figure");
  if (one.inside) add(box, "video", undefined, { src: one.address, controls: "", loop: "", playsinline: "", preload: "metadata",
    "aria-label": `film of ${one.name}, without sound` }).muted = true;
  const words = add(box, "figcaption", `${one.label}: `);
  if (one.inside) words.append(`an episode of ${one.name}`);
  else add(words, "a", `film of ${one.name}, ${size}`, { href: one.address });
}

let plots = [];

function game(parent, one) {
  const box = add(parent, "article", undefined, { class: one.still ? "game pictured" : "game" });
  add(box, "h2", one.title);
  if (one.still) add(box, "img", undefined, { src: one.still, alt: `a screen of ${one.title}` });
  const right = add(box, "div");
  const keys = add(right, "p");
  const { groups } = one.plots.score;
  for (const { label, colour: c, names: trials } of groups) {
    const key = add(keys, "span", undefined, { class: "key" });
    add(key, "i").style.background = c;
    key.append(`${label} (${trials.length} trial${trials.length > 1 ? "s" : ""})`);
  }
  const mark = add(keys, "span", "× with its range: read off the paper's Figure 1", { class: "key" });
  const title = add(right, "h3"), svg = draw(right, "svg", { role: "img", tabindex: 0 });
  plots.push(() => {
    title.textContent = data.quantities[what];
    mark.hidden = !one.plots[what].groups.some((g) => g.paper.length);
    svg.setAttribute("aria-label", `${one.title}: ${data.quantities[what]} against frames`);
    plot(svg, one.plots[what], one.frame_skip);
  });
  const films = add(right, "div", undefined, { class: "films" });
  for (const each of one.films) film(films, each);
  for (const each of one.sweeps) {
    const words = `${each.label}: score against β after ${each.frames}`;
    add(right, "h3", words);
    const chart = draw(right, "svg", { role: "img", "aria-label": words, class: "sweep" });
    plots.push(() => sweep(chart, each));
  }
  for (const each of one.maps) map(right, each);
}

/* All that depends on the runs: drawn again when there are newer numbers. */
function content() {
  const opened = new Set([...document.querySelectorAll("details[data-run][open]")].map((one) => one.dataset.run));
  plots = [];
  const [games, tables, runs, leftOut] = ["games", "tables", "runs", "left-out"].map((id) => {
    const section = document.getElementById(id);
    section.replaceChildren();
    return section;
  });
  for (const one of data.games) game(games, one);
  for (const { title, rows } of data.tables) table(tables, title, rows);
  if (data.runs.length) add(runs, "h2", "Runs");
  for (const one of data.runs) run(runs, one);
  for (const one of runs.querySelectorAll("details")) one.open = opened.has(one.dataset.run);
  if (data.left_out.length) add(leftOut, "h2", "Left out");
  for (const line of data.left_out) add(leftOut, "p", line, { class: "warning" });
  plots.forEach((redraw) => redraw());
}

function page() {
  document.title = `${data.title}: phieb report`;
  document.querySelector("h1").textContent = data.title;
  document.getElementById("about").textContent = "Game scores without bonus; curves of score, bonus, pseudocount and " +
    `frames per second are means of the last hundred episodes. Made by phieb ${data.version}.`;
  const commands = document.getElementById("commands");
  for (const command of [...data.trained_by, data.command]) add(add(commands, "p"), "code", command);
  if (data.runs.length) add(commands, "p", "The command of each run is below, under its name.");
  for (const [name, words] of Object.entries(data.quantities)) {
    add(document.getElementById("what"), "button", words, { type: "button", "data-what": name, "aria-pressed": name === what });
  }
  for (const button of document.querySelectorAll("header button")) {
    button.onclick = () => {
      ({ form = form, what = what } = button.dataset);
      for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button));
      plots.forEach((redraw) => redraw());
    };
  }
  content();
  addEventListener("resize", () => plots.forEach((redraw) => redraw()));
}

page();
