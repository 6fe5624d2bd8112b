// What the page carries: figures, and columns of numbers in base64.

const byId = (id) => document.getElementById(id);
const page = JSON.parse(byId("page-data").textContent);
const TYPES = { u8: Uint8Array, u16: Uint16Array, f32: Float32Array, f64: Float64Array };
const STEPS = 65535;
const decoded = new Map();

/** The numbers of a column, decoded when they are first asked for: most never are. */
function numbersOf(column) {
  if (!decoded.has(column.buffer)) {
    const raw = atob(byId(`buffer-${column.buffer}`).textContent);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i);
    decoded.set(column.buffer, new TYPES[column.type](bytes.buffer));
  }
  return decoded.get(column.buffer);
}

/** What a column says of the i-th row shown. */
function valueOf(column, i) {
  const numbers = numbersOf(column);
  if (!column.list) return numbers[i];
  return column.list[numbers.length ? numbers[i] : i];
}

/** The place of a row in the table it came from, from 0. */
const rowNumber = (i) => (page.rows ? numbersOf(page.rows)[i] : i);

function rowTitle(i) {
  const number = `Row ${(rowNumber(i) + 1).toLocaleString("en")}`;
  return page.row_names ? `${valueOf(page.row_names, i)} (${number.toLowerCase()})` : number;
}

/** A number in as many digits as help to read it. */
function shortNumber(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return String(value).replace("-", "−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

function shownValue(value) {
  return typeof value === "number" ? shortNumber(value, 6) : value === "" ? "–" : shortNumber(value);
}

function colouringValue(colouring, i) {
  const value = numbersOf(colouring)[i];
  return colouring.kind === "classes" ? colouring.classes[value] : shortNumber(value);
}

/** An element with text in it. Data only ever become text, never markup. */
function make(tag, text, properties = {}) {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  return Object.assign(node, properties);
}
