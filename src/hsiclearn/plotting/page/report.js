// The table of loadings, the download, and the start of everything.

const TOP = 20; // features, unless all are asked for
const figures = JSON.parse(byId("figures").textContent);
const parts = figures.components;
const shownComponents = page.axes.length;
const table = { key: "importance", descending: true, all: false, scale: "standardised", filter: "" };

/** The number in a cell. */
function loading(key, j) {
  return key === "importance" ? parts.importances[j] : parts[table.scale][key][j];
}

const strength = (value) => Math.abs(value ?? 0);

/** Features in the order asked for: by name, or by the size of a figure. */
function ordered() {
  const names = figures.table.feature_names, wanted = table.filter.toLowerCase();
  const order = names.map((_, j) => j).filter((j) => names[j].toLowerCase().includes(wanted));
  const sign = table.descending ? -1 : 1;
  const ahead = table.key === "name"
    ? (a, b) => names[a].localeCompare(names[b], "en", { numeric: true })
    : (a, b) => strength(loading(table.key, a)) - strength(loading(table.key, b));
  return order.sort((a, b) => sign * ahead(a, b) || a - b);
}

function cell(value, largest, share) {
  const node = make("td"), bar = make("span", null, { className: "bar" });
  const length = largest > 0 ? strength(value) / largest : 0;
  bar.classList.add(value < 0 ? "minus" : "plus");
  bar.style.width = `${(share ? 100 : 50) * length}%`;
  bar.style.left = share ? "0" : value < 0 ? `${50 - 50 * length}%` : "50%";
  const track = make("span", null, { className: share ? "track share" : "track" });
  track.append(bar);
  node.append(track, make("span", shownLoading(value, share), { className: "figure" }));
  return node;
}

function shownLoading(value, share) {
  if (value === null) return "–";
  return (share ? `${(100 * value).toFixed(1)} %` : value.toFixed(3)).replace("-", "−");
}

function fillTable() {
  const order = ordered(), shown = table.all ? order : order.slice(0, TOP);
  const keys = [...Array(shownComponents).keys(), "importance"];
  const asShare = (key) => key === "importance" || table.scale === "shares";
  const reach = Math.max(...parts[table.scale].slice(0, shownComponents).map((row) =>
    row.reduce((most, value) => Math.max(most, strength(value)), 0)));
  const most = parts.importances.reduce((a, b) => Math.max(a, b), 0);
  byId("loadings-body").replaceChildren(...shown.map((j) => {
    const row = make("tr");
    row.append(make("th", figures.table.feature_names[j], { scope: "row" }));
    row.append(...keys.map((key) => cell(loading(key, j), key === "importance" ? most : reach, asShare(key))));
    return row;
  }));
  const total = figures.table.feature_names.length;
  byId("loadings-count").textContent = `${shown.length.toLocaleString("en")} of ${total.toLocaleString("en")} features`;
  const button = byId("loadings-all");
  button.hidden = order.length <= TOP;
  button.textContent = table.all ? `Show the first ${TOP}` : `Show all ${order.length.toLocaleString("en")}`;
}

function sortBy(button) {
  const raw = button.dataset.key, key = raw === "name" || raw === "importance" ? raw : Number(raw);
  table.descending = table.key === key ? !table.descending : key !== "name";
  table.key = key;
  for (const other of document.querySelectorAll("#loadings th[aria-sort]")) {
    other.setAttribute("aria-sort", "none");
  }
  button.closest("th").setAttribute("aria-sort", table.descending ? "descending" : "ascending");
  fillTable();
}

function startTable() {
  for (const button of document.querySelectorAll("#loadings th button")) {
    button.addEventListener("click", () => sortBy(button));
  }
  byId("loadings-all").addEventListener("click", () => { table.all = !table.all; fillTable(); });
  byId("loadings-scale").addEventListener("change", (event) => {
    table.scale = event.target.value;
    fillTable();
  });
  byId("loadings-filter").addEventListener("input", (event) => {
    table.filter = event.target.value;
    fillTable();
  });
  fillTable();
}

function startDownload() {
  byId("download").addEventListener("click", () => {
    const content = JSON.stringify(figures, null, 2), link = make("a", null, { download: "figures.json" });
    try {
      link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
    } catch {
      link.href = `data:application/json;charset=utf-8,${encodeURIComponent(content)}`;
    }
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

/** For tests: where a row is on the screen, and what is drawn. */
window.hsiclearnReport = {
  place(row) {
    const i = page.rows ? numbersOf(page.rows).indexOf(row) : row, r = canvas.getBoundingClientRect();
    return { x: r.left + px[i], y: r.top + py[i] };
  },
  drawn: () => drawn,
  axes: () => [axes()[state.x].name, (verticalAxis() || { name: null }).name],
  view: () => ({ ...state.view }),
  plot,
  beyond: () => beyond.reduce((count, edge) => count + (edge ? 1 : 0), 0),
};

for (const part of document.querySelectorAll(".live")) part.hidden = false;
startMap();
startTable();
startDownload();
