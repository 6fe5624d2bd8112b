// Colours, markers and ticks.

const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779",
  "#6ece58", "#b5de2b", "#fde725"].map(channels);
const SHADES = 256;
const MARKERS = [
  (c, r) => c.arc(0, 0, r, 0, 2 * Math.PI),
  (c, r) => polygon(c, [[0, -1.2], [1.1, 0.8], [-1.1, 0.8]], r),
  (c, r) => c.rect(-0.88 * r, -0.88 * r, 1.76 * r, 1.76 * r),
  (c, r) => polygon(c, [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]], r),
  (c, r) => polygon(c, [[0, 1.2], [1.1, -0.8], [-1.1, -0.8]], r),
  (c, r) => polygon(c, cross(), r),
  (c, r) => { c.rotate(Math.PI / 4); polygon(c, cross(), r); },
  (c, r) => polygon(c, star(), 1.15 * r),
];

const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");
let printing = false;
const isDark = () => darkScheme.matches && !printing;
const styled = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function channels(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

function polygon(c, corners, r) {
  corners.forEach(([x, y], k) => (k ? c.lineTo(x * r, y * r) : c.moveTo(x * r, y * r)));
  c.closePath();
}

function cross() {
  const a = 0.4, b = 1.1;
  return [[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a], [a, b], [-a, b], [-a, a], [-b, a],
    [-b, -a], [-a, -a]];
}

function star() {
  return Array.from({ length: 10 }, (_, k) => {
    const r = k % 2 ? 0.5 : 1.15, t = (Math.PI * k) / 5;
    return [r * Math.sin(t), -r * Math.cos(t)];
  });
}

/** Viridis at a share in [0, 1]; its ends are left out where they fade into the ground. */
function shade(share) {
  const place = (isDark() ? 0.16 + 0.84 * share : 0.94 * share) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(place), VIRIDIS.length - 2);
  return VIRIDIS[k].map((low, c) => Math.round(low + (place - k) * (VIRIDIS[k + 1][c] - low)));
}

/** Red, green and blue of the code-th colour of a colouring; null colours all rows alike. */
function colourOf(colouring, code) {
  const palette = isDark() ? page.palette.dark : page.palette.light;
  if (!colouring) return channels(palette[0]);
  if (colouring.kind === "real") return shade(code / (SHADES - 1));
  if (code === colouring.unknown) return isDark() ? [130, 134, 142] : [150, 150, 150];
  return channels(palette[code % palette.length]);
}

function markerOf(colouring, code) {
  return colouring && colouring.kind === "classes" && code !== colouring.unknown
    ? MARKERS[code % MARKERS.length] : MARKERS[0];
}

function paintMarker(c, colouring, code, r) {
  const rgb = colourOf(colouring, code).join(",");
  c.beginPath();
  markerOf(colouring, code)(c, r);
  c.fillStyle = `rgba(${rgb},0.82)`;
  c.fill();
  c.lineWidth = 0.6;
  c.strokeStyle = isDark() ? "rgba(255,255,255,0.45)" : "rgba(0,0,0,0.3)";
  c.stroke();
}

/** A marker drawn once, to be stamped many times. */
function sprite(colouring, code, r, scale) {
  const half = Math.ceil(1.5 * r + 1);
  const canvas = make("canvas", null, { width: 2 * half * scale, height: 2 * half * scale });
  const c = canvas.getContext("2d");
  c.scale(scale, scale);
  c.translate(half, half);
  paintMarker(c, colouring, code, r);
  return { canvas, half };
}

/** About n round numbers between low and high. */
function ticks(low, high, n) {
  const rough = (high - low) / n;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k += 1) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

/** A number coprime to n: steps of it visit all rows, so that no class is drawn last as a whole. */
function stride(n) {
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  let step = Math.max(1, Math.floor(0.618 * n));
  while (divisor(step, n) !== 1) step += 1;
  return step;
}
