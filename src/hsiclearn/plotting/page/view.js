// What part of the map is in view, and where rows stand in it.

const MARGIN = { x: 0.04, y: 0.05 }; // of the range in view, to either side
const EDGE = { left: 58, right: 12, top: 10, bottom: 44 };
const INSET = 6; // pixels between the edge and the rows that lie beyond it
const [LEFT, RIGHT, BELOW, ABOVE] = [1, 2, 3, 4];

const n = page.n_shown;
const onLine = page.axes.length === 1;
const heldOut = page.held_out;
const state = { x: 0, y: onLine ? null : 1, colour: 0, view: null, held: Boolean(heldOut && heldOut.at_first),
  all: false, atHome: true };
const px = new Float32Array(n), py = new Float32Array(n);
const beyond = new Uint8Array(n); // which edge a row stands at, since it lies beyond it
let size = { width: 0, height: 0, scale: 1 };

const axes = () => (state.held ? heldOut.axes : page.axes);
const plot = () => ({ ...EDGE, width: size.width - EDGE.left - EDGE.right,
  height: size.height - EDGE.top - EDGE.bottom });

function remember(f) {
  const known = new Map();
  return (key) => { if (!known.has(key)) known.set(key, f(key)); return known.get(key); };
}

/** Places of all rows along an axis, 0 and 1 being the ends of what the map opens on. */
const sharesOf = remember((axis) => {
  const unit = axis.type === "u16" ? STEPS : 1, numbers = numbersOf(axis);
  if (!heldOut || !heldOut.axes.includes(axis)) return Float32Array.from(numbers, (v) => v / unit);
  const shares = new Float32Array(n).fill(NaN); // a row that was never held out is not shown
  numbersOf(heldOut.rows).forEach((i, k) => { shares[i] = numbers[k] / unit; });
  return shares;
});

/** The value of a row along an axis. */
function axisValue(axis, i) {
  return axis.low + sharesOf(axis)[i] * (axis.high - axis.low);
}

function verticalAxis() {
  if (!onLine) return axes()[state.y];
  const c = colouring();
  return c && c.kind === "real" ? c : null;
}

/** Whether rows lie beyond what the map opens on. */
const isCut = () => [axes()[state.x], verticalAxis()].some((axis) => axis && axis.reach);

/** The view to start from, or to come back to: of most rows, or of all of them. */
function homeView() {
  const ends = (axis, margin) => {
    const [low, high] = (state.all && axis && axis.reach) || [0, 1];
    return [low - margin * (high - low), high + margin * (high - low)];
  };
  const [x0, x1] = ends(axes()[state.x], MARGIN.x), [y0, y1] = ends(verticalAxis(), MARGIN.y);
  return { x0, x1, y0, y1 };
}

/** Pixel places of all rows under the current view. At home, rows beyond it stand at its edge. */
function place() {
  const p = plot(), v = state.view;
  const along = (values, low, high, from, length, out) => {
    const a = length / (high - low), b = from - low * a;
    for (let i = 0; i < n; i += 1) out[i] = b + a * values[i];
  };
  along(sharesOf(axes()[state.x]), v.x0, v.x1, p.left, p.width, px);
  const heights = onLine ? heightsOf(colouring()) : sharesOf(axes()[state.y]);
  along(heights, v.y0, v.y1, p.top + p.height, -p.height, py);
  beyond.fill(0);
  if (state.atHome && isCut()) holdAtEdge(p);
}

function holdAtEdge(p) {
  const [left, right, top, bottom] = [p.left + INSET, p.left + p.width - INSET, p.top + INSET,
    p.top + p.height - INSET];
  for (let i = 0; i < n; i += 1) {
    if (py[i] < p.top) [py[i], beyond[i]] = [top, ABOVE];
    else if (py[i] > p.top + p.height) [py[i], beyond[i]] = [bottom, BELOW];
    if (px[i] < p.left) [px[i], beyond[i]] = [left, LEFT];
    else if (px[i] > p.left + p.width) [px[i], beyond[i]] = [right, RIGHT];
  }
}

/** Whether the i-th row is on the map now. */
function inView(i, p, codes, off) {
  return px[i] >= p.left && px[i] <= p.left + p.width && py[i] >= p.top
    && py[i] <= p.top + p.height && !(off.size && off.has(codes[i]));
}

function resetView() {
  Object.assign(state, { view: homeView(), atHome: true });
  byId("zoom-all").hidden = !isCut();
  hideTip();
  changed();
}

function setView(view) {
  Object.assign(state, { view, atHome: false });
  hideTip();
  changed();
}

/** Zoom by a factor about a place of the view, its middle by default. */
function zoom(factor, fx = 0.5, fy = 0.5) {
  const v = state.view, x = v.x0 + fx * (v.x1 - v.x0), y = v.y0 + fy * (v.y1 - v.y0);
  const axis = axes()[state.x], widest = axis.reach ? axis.reach[1] - axis.reach[0] : 1;
  const width = (v.x1 - v.x0) * factor;
  if (width > 8 * widest || width < 1e-4) return;
  setView({ x0: x + (v.x0 - x) * factor, x1: x + (v.x1 - x) * factor,
    y0: y + (v.y0 - y) * factor, y1: y + (v.y1 - y) * factor });
}

function pan(dx, dy) {
  const v = state.view, x = dx * (v.x1 - v.x0), y = dy * (v.y1 - v.y0);
  setView({ x0: v.x0 + x, x1: v.x1 + x, y0: v.y0 + y, y1: v.y1 + y });
}
