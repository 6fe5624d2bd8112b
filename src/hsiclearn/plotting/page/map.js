// The map: where rows are, how they are drawn, and which one is under the pointer.

const MANY = 20000; // rows in view, beyond which they are painted as pixels, not stamped
const CELL = 16; // pixels, of the index behind the pointer
const REACH = 14; // pixels, to the nearest row
const BINS = 40;

const step = stride(n);
const canvas = byId("scatter");
const context = canvas.getContext("2d");
const hidden = page.colourings.map(() => new Set());
let index = null, drawn = 0, waiting = false;

const colouring = () => page.colourings[state.colour] || null;

/** The colour of each row as a small number: its class, or its shade. */
const codesOf = remember((c) => {
  if (!c) return new Uint8Array(n);
  const values = numbersOf(c);
  if (c.kind === "classes") return values;
  const span = c.high - c.low || 1;
  const within = (v) => Math.min(1, Math.max(0, (v - c.low) / span));
  return Uint8Array.from(values, (v) => within(v) * (SHADES - 1) + 0.5);
});

/** Heights in [0, 1] where there is one component: the target itself, or a lane per class. */
const heightsOf = remember((c) => {
  if (c && c.kind === "real") {
    const span = c.high - c.low || 1;
    return Float32Array.from(numbersOf(c), (v) => (v - c.low) / span);
  }
  const codes = codesOf(c), lanes = c ? c.classes.length : 1;
  // Golden-ratio jitter: rows with like values lie apart, and in the same place every time.
  return Float32Array.from(codes, (code, i) =>
    (lanes - 1 - code + 0.05 + 0.28 * ((i * 0.618034) % 1)) / lanes);
});

function changed() {
  index = null;
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

const hiddenCodes = () => {
  const c = colouring();
  return c && c.kind === "classes" ? hidden[state.colour] : new Set();
};

function draw() {
  if (!size.width) return;
  place();
  const p = plot(), codes = codesOf(colouring()), off = hiddenCodes();
  context.setTransform(size.scale, 0, 0, size.scale, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  drawGrid(p);
  context.save();
  context.beginPath();
  context.rect(p.left, p.top, p.width, p.height);
  context.clip();
  if (onLine && !(colouring() && colouring().kind === "real")) drawHistograms(p, codes, off);
  drawn = 0;
  for (let i = 0; i < n; i += 1) if (inView(i, p, codes, off)) drawn += 1;
  if (drawn > MANY) paintPixels(p, codes, off);
  else stampMarkers(p, codes, off);
  const far = drawArrowheads(p, codes, off);
  context.restore();
  if (onLine) drawLaneNames(p);
  tellOfView(far);
}

/** Rows that lie beyond the edge point there; how many there are. */
function drawArrowheads(p, codes, off) {
  const turns = { [LEFT]: -0.5, [RIGHT]: 0.5, [BELOW]: 1, [ABOVE]: 0 };
  let far = 0;
  for (let i = 0; i < n; i += 1) {
    if (!beyond[i] || !inView(i, p, codes, off)) continue;
    far += 1;
    context.save();
    context.translate(px[i], py[i]);
    context.rotate(turns[beyond[i]] * Math.PI);
    context.beginPath();
    polygon(context, [[0, -1], [0.9, 0.8], [-0.9, 0.8]], 5.5);
    context.fillStyle = `rgb(${colourOf(colouring(), codes[i]).join(",")})`;
    context.strokeStyle = styled("--ground");
    context.fill();
    context.stroke();
    context.restore();
  }
  return far;
}

function stampMarkers(p, codes, off) {
  const r = drawn < 600 ? 4.2 : drawn < 5000 ? 3.2 : 2.3;
  const stamp = remember((code) => sprite(colouring(), code, r, size.scale));
  for (let k = 0, i = 0; k < n; k += 1, i = (i + step) % n) {
    if (beyond[i] || !inView(i, p, codes, off)) continue;
    const { canvas: image, half } = stamp(codes[i]);
    context.drawImage(image, px[i] - half, py[i] - half, 2 * half, 2 * half);
  }
}

/** Many rows as small squares in one picture: a stamp each would take too long. */
function paintPixels(p, codes, off) {
  const s = size.scale, side = Math.max(2, Math.round(1.7 * s));
  const width = Math.round(p.width * s), height = Math.round(p.height * s);
  const image = new ImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  const colour = remember((code) => {
    const [r, g, b] = colourOf(colouring(), code);
    return ((230 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
  const known = Array.from({ length: SHADES }, (_, code) => colour(code));
  for (let k = 0, i = 0; k < n; k += 1, i = (i + step) % n) {
    if (!inView(i, p, codes, off)) continue;
    const left = Math.min(width - side, Math.round((px[i] - p.left) * s));
    const top = Math.min(height - side, Math.round((py[i] - p.top) * s));
    const value = codes[i] < SHADES ? known[codes[i]] : colour(codes[i]);
    for (let row = top; row < top + side; row += 1) {
      pixels.fill(value, row * width + left, row * width + left + side);
    }
  }
  const layer = make("canvas", null, { width, height });
  layer.getContext("2d").putImageData(image, 0, 0);
  context.drawImage(layer, p.left, p.top, p.width, p.height);
}

/** Pixel height of a place in [0, 1]. */
const heightAt = (u, p) =>
  p.top + p.height * (1 - (u - state.view.y0) / (state.view.y1 - state.view.y0));

/** One component: how each class is spread along it, standing on the strip of its rows. */
function drawHistograms(p, codes, off) {
  const c = colouring(), lanes = c ? c.classes.length : 1, along = sharesOf(axes()[0]);
  const [low, high] = (state.all && axes()[0].reach) || [0, 1];
  const counts = Array.from({ length: lanes }, () => new Float64Array(BINS));
  const totals = new Float64Array(lanes);
  for (let i = 0; i < n; i += 1) {
    const bin = Math.floor(((along[i] - low) / (high - low)) * BINS);
    if (!(bin >= 0 && bin <= BINS)) continue; // beyond the edge, or not held out
    counts[codes[i]][Math.min(BINS - 1, bin)] += 1;
    totals[codes[i]] += 1;
  }
  const shares = counts.map((row, code) => row.map((count) => count / (totals[code] || 1)));
  const tallest = Math.max(...shares.map((row) => Math.max(...row))) || 1;
  const v = state.view, width = ((high - low) * p.width) / (v.x1 - v.x0) / BINS;
  shares.forEach((row, code) => {
    if (off.has(code)) return;
    context.fillStyle = `rgba(${colourOf(c, code).join(",")},0.55)`;
    const base = (lanes - 1 - code + 0.38) / lanes;
    row.forEach((share, bin) => {
      const at = low + (bin / BINS) * (high - low);
      const left = p.left + ((at - v.x0) / (v.x1 - v.x0)) * p.width;
      const top = heightAt(base + (0.5 * share) / tallest / lanes, p);
      context.fillRect(left, top, width + 0.5, heightAt(base, p) - top);
    });
  });
}

function drawLaneNames(p) {
  const c = colouring();
  if (!c || c.kind === "real") return;
  const lanes = c.classes.length;
  context.fillStyle = styled("--ink");
  context.textAlign = "left";
  context.textBaseline = "bottom";
  c.classes.forEach((name, code) => {
    const y = heightAt((lanes - 1 - code + 0.7) / lanes, p);
    if (y > p.top && y < p.top + p.height) context.fillText(name, p.left + 6, y, p.width / 3);
  });
}

/** Rows in view by cells of the screen, so that a pointer looks at a few of them only. */
function buildIndex() {
  const p = plot(), codes = codesOf(colouring()), off = hiddenCodes();
  const columns = Math.ceil(size.width / CELL), rows = Math.ceil(size.height / CELL);
  const first = new Int32Array(columns * rows).fill(-1), next = new Int32Array(n);
  for (let i = 0; i < n; i += 1) {
    if (!inView(i, p, codes, off)) continue;
    const cell = Math.floor(py[i] / CELL) * columns + Math.floor(px[i] / CELL);
    next[i] = first[cell];
    first[cell] = i;
  }
  index = { columns, rows, first, next };
}

/** The row nearest to a place on the map, or -1. */
function nearest(x, y) {
  if (!index) buildIndex();
  let best = -1, least = REACH * REACH;
  const column = Math.floor(x / CELL), row = Math.floor(y / CELL);
  for (let r = Math.max(0, row - 1); r <= Math.min(index.rows - 1, row + 1); r += 1) {
    for (let c = Math.max(0, column - 1); c <= Math.min(index.columns - 1, column + 1); c += 1) {
      for (let i = index.first[r * index.columns + c]; i >= 0; i = index.next[i]) {
        const distance = (px[i] - x) ** 2 + (py[i] - y) ** 2;
        if (distance <= least) [best, least] = [i, distance];
      }
    }
  }
  return best;
}

function resize() {
  const width = canvas.parentElement.clientWidth;
  if (!width) return;
  const height = Math.round(Math.min(600, Math.max(320, 0.66 * width)));
  const scale = Math.min(2, window.devicePixelRatio || 1);
  size = { width, height, scale };
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  changed();
}
