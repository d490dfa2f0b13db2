/* The page around the charts. */
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

function colour(share) {
  const at = share * (VIRIDIS.length - 1), k = Math.min(Math.floor(at), VIRIDIS.length - 2);
  const mixed = VIRIDIS[k].map((c, i) => Math.round(c + (VIRIDIS[k + 1][i] - c) * (at - k)));
  return `rgb(${mixed.join(" ")})`;
}

function map(parent, one) {
  add(parent, "h3", `${one.label}: decisions in each room`);
  const svg = draw(parent, "svg", { viewBox: "0 0 360 160", class: "map", role: "img" });
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
  }  const key = add(parent, "p", "1 ", { class: "key" });
  add(key, "i").style.background = `linear-gradient(90deg, ${[0, 1, 2, 3, 4].map((k) => colour(k / 4)).join()})`;
  key.append(`${number(highest)} decisions, logarithmic; grey: never visited`);
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
  const { groups } = one.plots.score;
  for (const { label, colour: c, names: trials } of groups) {
    const key = add(keys, "span", undefined, { class: "key" });
    add(key, "i").style.background = c;
    key.append(`${label} (${trials.length} trial${trials.length > 1 ? "s" : ""})`);
  }
  const mark = add(keys, "span", "× with its range: read off the paper's Figure 1", { class: "key" });
  const title = add(right, "h3"), svg = draw(right, "svg", { role: "img" });
  plots.push(() => {
    title.textContent = data.quantities[what];
    mark.hidden = !one.plots[what].groups.some((g) => g.paper.length);
    svg.setAttribute("aria-label", `${one.title}: ${data.quantities[what]} against frames`);
    plot(svg, one.plots[what], one.frame_skip);
  });
  for (const each of one.sweeps) {
    const words = `${each.label}: score against β after ${each.frames}`;
    add(right, "h3", words);
    const chart = draw(right, "svg", { role: "img", "aria-label": words, class: "sweep" });
    plots.push(() => sweep(chart, each));
  }
  for (const each of one.maps) map(right, each);
}

function page() {
  document.title = `${data.title}: phieb report`;
  document.querySelector("h1").textContent = data.title;
  const about = document.getElementById("about");
  about.textContent = "Game scores without bonus; curves of score, bonus, pseudocount and frames per second are " +
    `means of the last hundred episodes. Made by phieb ${data.version}: `;
  add(about, "code", data.command);
  for (const [name, words] of Object.entries(data.quantities)) {
    add(document.getElementById("what"), "button", words, { type: "button", "data-what": name, "aria-pressed": name === what });
  }
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
      ({ form = form, what = what } = button.dataset);
      for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button));
      plots.forEach((redraw) => redraw());
    };
  }
  plots.forEach((redraw) => redraw());
  addEventListener("resize", () => plots.forEach((redraw) => redraw()));
}

page();
