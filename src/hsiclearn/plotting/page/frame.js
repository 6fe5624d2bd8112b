// The frame of the map: ticks, and axes that say what they are made of.

/** Value range of an axis in view. */
function extentOf(axis, low, high) {
  return [axis.low + low * (axis.high - axis.low), axis.low + high * (axis.high - axis.low)];
}

function drawGrid(p) {
  const v = state.view, upright = verticalAxis(), ink = styled("--soft"), line = styled("--line");
  context.font = `12px ${styled("--font") || "sans-serif"}`;
  context.lineWidth = 1;
  const grid = (x, y, x2, y2) => {
    context.strokeStyle = line;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x2, y2);
    context.stroke();
    context.fillStyle = ink;
  };
  const [a, b] = extentOf(axes()[state.x], v.x0, v.x1);
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const t of ticks(a, b, Math.max(2, p.width / 90))) {
    const x = p.left + ((t - a) / (b - a || 1)) * p.width;
    grid(x, p.top, x, p.top + p.height);
    context.fillText(shortNumber(t, 6), x, p.top + p.height + 5);
  }
  const [low, high] = upright ? extentOf(upright, v.y0, v.y1) : [0, 1];
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const t of upright ? ticks(low, high, Math.max(2, p.height / 60)) : []) {
    const y = p.top + p.height - ((t - low) / (high - low || 1)) * p.height;
    grid(p.left, y, p.left + p.width, y);
    context.fillText(shortNumber(t, 6), p.left - 6, y);
  }
  context.strokeStyle = line;
  context.strokeRect(p.left, p.top, p.width, p.height);
  drawAxisNames(p, upright);
}

/** The name of an axis, with as much of what it is made of as there is room for. */
function axisTitle(axis, room) {
  const parts = axis.made_of || [];
  for (let count = parts.length; count > 0; count -= 1) {
    const title = `${axis.name}: ${parts.slice(0, count).join(", ")}${count < parts.length ? ", …" : ""}`;
    if (context.measureText(title).width <= room) return title;
  }
  return parts.length ? cutTitle(axis.name, parts[0], room) : axis.name;
}

/** The main part alone, its name cut to what there is room for. */
function cutTitle(name, part, room) {
  const at = part.lastIndexOf(" "), figure = part.slice(at);
  for (let letters = at - 1; letters > 3; letters -= 1) {
    const title = `${name}: ${part.slice(0, letters)}…${figure}`;
    if (context.measureText(title).width <= room) return title;
  }
  return name;
}

function drawAxisNames(p, upright) {
  context.fillStyle = styled("--ink");
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(axisTitle(axes()[state.x], p.width), p.left + p.width / 2, size.height - 3, p.width);
  if (!upright) return;
  context.save();
  context.translate(12, p.top + p.height / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "middle";
  context.fillText(axisTitle(upright, p.height), 0, 0, p.height);
  context.restore();
}
