// What a reader does with the map: axes, colours, classes, zoom, and a row's own values.

const few = () => (size.width < 600 ? 4 : 8); // columns under the pointer; a click shows all
const SOME = 4; // components under the pointer
const tip = byId("tip"), ring = byId("ring"), box = byId("box");
let dragged = null, lastScroll = -1e9;

function startMap() {
  fillAxes();
  fillPositions();
  fillColours();
  byId("zoom-in").addEventListener("click", () => zoom(0.7));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 0.7));
  byId("zoom-reset").addEventListener("click", resetView);
  byId("zoom-all").addEventListener("click", () => { state.all = !state.all; resetView(); });
  canvas.addEventListener("wheel", onWheel, { passive: false });
  canvas.addEventListener("pointerdown", onDown);
  canvas.addEventListener("pointermove", onMove);
  canvas.addEventListener("pointerup", onUp);
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("keydown", onKey);
  window.addEventListener("scroll", () => { lastScroll = performance.now(); }, { passive: true });
  darkScheme.addEventListener("change", repaint);
  window.addEventListener("beforeprint", () => { printing = true; draw(); });
  window.addEventListener("afterprint", () => { printing = false; draw(); });
  resetView();
  new ResizeObserver(resize).observe(canvas.parentElement);
  resize();
}

function repaint() {
  showLegend();
  changed();
}

function option(select, value, name) {
  select.append(make("option", name, { value }));
}

function fillAxes() {
  const across = byId("axis-x"), upright = byId("axis-y");
  page.axes.forEach((axis, k) => {
    option(across, k, axis.name);
    option(upright, k, axis.name);
  });
  upright.value = state.y;
  for (const [select, key] of [[across, "x"], [upright, "y"]]) {
    select.addEventListener("change", () => { state[key] = Number(select.value); resetView(); });
  }
  across.closest(".axes").hidden = onLine;
}

/** Where rows stand: by the fit they took part in, or by fits without them. */
function fillPositions() {
  const select = byId("positions");
  select.closest("label").hidden = !heldOut;
  if (!heldOut) return;
  option(select, "fitted", "as fitted");
  option(select, "held", "as held out");
  select.value = state.held ? "held" : "fitted";
  select.addEventListener("change", () => { state.held = select.value === "held"; resetView(); });
}

/** A line under the map: which rows are not in it, or at its edge. */
function tellOfView(far) {
  const words = [], rows = (k) => `${k.toLocaleString("en")} ${k === 1 ? "row lies" : "rows lie"}`;
  if (far) words.push(`${rows(far)} beyond the edge, where arrowheads point: use “Show all”.`);
  if (state.held && heldOut.n_rows < n) {
    words.push(`Of ${n.toLocaleString("en")} rows ${heldOut.n_rows.toLocaleString("en")} were held out.`);
  }
  byId("view-note").textContent = words.join(" ");
  byId("zoom-all").textContent = state.all ? "Show most" : "Show all";
}

function fillColours() {
  const select = byId("colour");
  page.colourings.forEach((c, k) => option(select, k, c.name));
  select.closest("label").hidden = page.colourings.length < 2;
  select.addEventListener("change", () => {
    state.colour = Number(select.value);
    showLegend();
    resetView();
  });
  showLegend();
}

function showLegend() {
  const legend = byId("legend"), c = colouring();
  legend.replaceChildren();
  if (!c) return;
  legend.append(make("span", c.name, { className: "legend-name" }));
  if (c.kind === "real") legend.append(...colourBar(c));
  else legend.append(...c.classes.map((name, code) => classButton(c, name, code)));
  if (c.kind === "classes" && c.classes.length > 3) legend.append(everyClass(c));
}

/** Rows of each class. */
const countsOf = remember((c) => {
  const counts = new Int32Array(c.classes.length);
  for (const code of codesOf(c)) counts[code] += 1;
  return counts;
});

function classButton(c, name, code) {
  const button = make("button", null, { type: "button", className: "class" });
  const off = hidden[state.colour];
  const mark = make("canvas", null, { width: 32, height: 32, className: "swatch" });
  const pen = mark.getContext("2d");
  pen.translate(16, 16);
  paintMarker(pen, c, code, 10);
  button.append(mark, make("span", name), make("span", countsOf(c)[code].toLocaleString("en"), { className: "count" }));
  button.setAttribute("aria-pressed", String(!off.has(code)));
  button.addEventListener("click", () => {
    if (!off.delete(code)) off.add(code);
    button.setAttribute("aria-pressed", String(!off.has(code)));
    hideTip();
    changed();
  });
  return button;
}

/** Show all classes, or none where all are shown: the start of picking a few of many. */
function everyClass(c) {
  const button = make("button", "all / none", { type: "button", className: "every" });
  button.addEventListener("click", () => {
    const off = hidden[state.colour];
    if (off.size) off.clear();
    else c.classes.forEach((_, code) => off.add(code));
    repaint();
  });
  return button;
}

function colourBar(c) {
  const bar = make("canvas", null, { width: SHADES, height: 1, className: "colourbar" });
  const pen = bar.getContext("2d");
  for (let k = 0; k < SHADES; k += 1) {
    pen.fillStyle = `rgb(${shade(k / (SHADES - 1)).join(",")})`;
    pen.fillRect(k, 0, 1, 1);
  }
  const [below, above] = c.reach ? [c.reach[0] < 0, c.reach[1] > 1] : [false, false];
  return [make("span", `${below ? "≤ " : ""}${shortNumber(c.low)}`), bar,
    make("span", `${above ? "≥ " : ""}${shortNumber(c.high)}`)];
}

function spot(event) {
  const r = canvas.getBoundingClientRect();
  return [event.clientX - r.left, event.clientY - r.top];
}

/** A place of the canvas as shares of the view. */
function shareOf([x, y]) {
  const p = plot(), within = (t) => Math.min(1, Math.max(0, t));
  return [within((x - p.left) / p.width), within(1 - (y - p.top) / p.height)];
}

function onWheel(event) {
  // Someone who scrolls through the page must not be caught by the map on the way.
  if (performance.now() - lastScroll < 250) return;
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 16 : 1;
  zoom(Math.exp(0.0015 * lines * event.deltaY), ...shareOf(spot(event)));
}

function onKey(event) {
  const moves = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  if (moves[event.key]) pan(...moves[event.key]);
  else if (event.key === "+" || event.key === "=") zoom(0.7);
  else if (event.key === "-") zoom(1 / 0.7);
  else if (event.key === "0" || event.key === "Escape") resetView();
  else return;
  event.preventDefault();
}

function onDown(event) {
  if (event.button !== 0) return;
  dragged = { from: spot(event), moved: false, touch: event.pointerType === "touch" };
  if (!dragged.touch) canvas.setPointerCapture(event.pointerId);
}

function onMove(event) {
  const at = spot(event);
  if (!dragged || dragged.touch) { showTip(nearest(...at)); return; }
  const [dx, dy] = [at[0] - dragged.from[0], at[1] - dragged.from[1]];
  if (!dragged.moved && Math.hypot(dx, dy) < 5) return;
  dragged.moved = true;
  hideTip();
  if (event.shiftKey) {
    pan(-dx / plot().width, dy / plot().height);
    dragged.from = at;
    return;
  }
  box.hidden = false;
  Object.assign(box.style, { left: `${Math.min(at[0], dragged.from[0])}px`,
    top: `${Math.min(at[1], dragged.from[1])}px`, width: `${Math.abs(dx)}px`, height: `${Math.abs(dy)}px` });
}

function onUp(event) {
  if (!dragged) return;
  const { from, moved } = dragged, at = spot(event), boxed = !box.hidden;
  dragged = null;
  box.hidden = true;
  if (!moved) { const i = nearest(...at); showTip(i); pin(i); return; }
  const [[ax, ay], [bx, by]] = [shareOf(from), shareOf(at)], v = state.view;
  if (!boxed || Math.abs(ax - bx) < 0.01 || Math.abs(ay - by) < 0.01) return;
  const x = (t) => v.x0 + t * (v.x1 - v.x0), y = (t) => v.y0 + t * (v.y1 - v.y0);
  setView({ x0: x(Math.min(ax, bx)), x1: x(Math.max(ax, bx)),
    y0: y(Math.min(ay, by)), y1: y(Math.max(ay, by)) });
}

function hideTip() {
  tip.hidden = true;
  ring.hidden = true;
}

/** What is known of a row, as pairs of names and values. */
function known(i, along, columns) {
  return [
    ...page.colourings.map((c) => [c.name, colouringValue(c, i)]),
    ...along.map((axis) => [axis.name, shortNumber(axisValue(axis, i))]),
    ...columns.map((column) => [column.name, shownValue(valueOf(column, i))]),
  ];
}

function listOf(pairs) {
  const list = make("dl");
  for (const [name, value] of pairs) {
    const line = make("div");
    line.append(make("dt", name), make("dd", value));
    list.append(line);
  }
  return list;
}

function showTip(i) {
  if (i < 0) { hideTip(); return; }
  const columns = page.details.slice(0, few());
  const all = axes(), along = all.length > SOME ? [...new Set([state.x, state.y])].map((k) => all[k]) : all;
  tip.replaceChildren(make("strong", rowTitle(i)), listOf(known(i, along, columns)));
  const more = page.n_details - columns.length;
  if (more > 0) tip.append(make("p", `and ${more.toLocaleString("en")} more; click for a list`));
  tip.hidden = false;
  ring.hidden = false;
  Object.assign(ring.style, { left: `${px[i]}px`, top: `${py[i]}px` });
  const right = px[i] + 16 + tip.offsetWidth > size.width;
  const left = right ? Math.max(0, px[i] - 16 - tip.offsetWidth) : px[i] + 16;
  const top = Math.max(0, Math.min(py[i] - 20, size.height - tip.offsetHeight));
  Object.assign(tip.style, { left: `${left}px`, top: `${top}px` });
}

/** All values of a row, below the map, until it is closed. */
function pin(i) {
  const panel = byId("pinned");
  panel.hidden = i < 0;
  if (i < 0) return;
  const close = make("button", "close", { type: "button" });
  close.addEventListener("click", () => { panel.hidden = true; });
  const head = make("div", null, { className: "pinned-head" });
  head.append(make("h3", rowTitle(i)), close);
  panel.replaceChildren(head, listOf(known(i, axes(), page.details)));
  const left = page.n_details - page.details.length;
  if (left > 0) panel.append(make("p", `${left.toLocaleString("en")} columns of less weight are not in this page.`));
}
