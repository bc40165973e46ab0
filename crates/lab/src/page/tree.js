// A tree that can be drawn, moved and zoomed. It knows nodes and places, not searches.
const BOX = { width: 62, height: 38, gap: 12, ply: 96, letter: 8.4, small: 6.2 };

/** Gives every node of a tree its place. `shape(node)` says { width, children, stubs }. */
function layOut(root, shape) {
  const places = new Map();
  let edge = 0;
  const column = (width) => {
    const x = edge + width / 2;
    edge += width + BOX.gap;
    return x;
  };
  const visit = (node, ply) => {
    const { width, children, stubs } = shape(node);
    const start = edge;
    const ends = children.map((child) => visit(child, ply + 1));
    const stubEnds = stubs.map((stub) => column(stub.width));
    const all = [...ends, ...stubEnds];
    const x = all.length
      ? Math.max((all[0] + all[all.length - 1]) / 2, start + width / 2)
      : column(width);
    edge = Math.max(edge, x + width / 2 + BOX.gap);
    places.set(node, { x, y: ply * BOX.ply, width, stubEnds });
    return x;
  };
  visit(root, 0);
  const deepest = Math.max(...[...places.values()].map((place) => place.y));
  return { places, width: edge, height: deepest + BOX.ply };
}

/** A picture in `holder` that can be dragged, pinched and zoomed. */
class View {
  constructor(holder, label) {
    this.layer = svg("g");
    this.picture = svg("svg", { role: "group", "aria-label": label }, this.layer);
    holder.append(this.picture);
    this.holder = holder;
    [this.scale, this.x, this.y] = [1, 0, 0];
    this.fingers = new Map();
    this.isMoved = false;
    this.listen();
  }

  listen() {
    const picture = this.picture;
    picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    picture.addEventListener("pointerdown", (event) => {
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
      this.isMoved = false;
    });
    picture.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      picture.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    }
  }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    if (Math.hypot(now[0] - before[0], now[1] - before[1]) > 2) this.isMoved = true;
    if (this.fingers.size === 1) {
      this.x += now[0] - before[0];
      this.y += now[1] - before[1];
    } else {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)[1];
      const spread = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
      const corner = this.picture.getBoundingClientRect();
      this.zoom(spread(now) / spread(before), other[0] - corner.x, other[1] - corner.y);
    }
    this.fingers.set(event.pointerId, now);
    this.show();
  }

  zoom(factor, x = this.holder.clientWidth / 2, y = this.holder.clientHeight / 2) {
    const scale = Math.min(4, Math.max(0.04, this.scale * factor));
    this.x = x - (x - this.x) * (scale / this.scale);
    this.y = y - (y - this.y) * (scale / this.scale);
    this.scale = scale;
    this.show();
  }

  /** Shows the whole of a picture of this size. */
  fit(width, height, most = 1.6, least = 0.04) {
    const [room, tall] = [this.holder.clientWidth - 24, this.holder.clientHeight - 40];
    this.scale = Math.min(most, Math.max(least, Math.min(room / width, tall / height)));
    this.x = Math.max(0, (this.holder.clientWidth - width * this.scale) / 2);
    this.y = 14 + (BOX.height / 2 + 20) * this.scale;
    this.show();
  }

  /** Moves the picture so that a point of it is well inside. */
  follow(x, y) {
    const [at, down] = [this.x + x * this.scale, this.y + y * this.scale];
    const [width, height] = [this.holder.clientWidth, this.holder.clientHeight];
    const inset = Math.min(60 * this.scale, width / 4);
    if (at < inset || at > width - inset) this.x += width / 2 - at;
    const rim = (BOX.height / 2 + 18) * this.scale;
    if (down < rim || down > height - rim) this.y += height / 2 - down;
    this.show();
  }

  show() {
    this.layer.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
  }
}

/** The shape of a node: a square box for Max, a round one for Min. */
function drawBox(place, isMin) {
  const round = isMin ? BOX.height / 2 : 0;
  return svg("rect", {
    x: -place.width / 2, y: -BOX.height / 2, width: place.width, height: BOX.height,
    rx: round, class: "box",
  });
}

function drawText(text, x, y, look) {
  return svg("text", { x, y, class: look }, text);
}

/** A branch from a place to a point below. */
function drawEdge(from, x, y, look) {
  return svg("path", { d: `M${from.x} ${from.y + BOX.height / 2}L${x} ${y}`, class: "edge " + look });
}

/** A branch that was cut off, with its mark, the moves and the reason. */
function drawStub(place, x, lines) {
  const top = place.y + BOX.ply - BOX.height / 2 - 20;
  const [mx, my] = [(place.x + x) / 2, (place.y + BOX.height / 2 + top) / 2];
  const cross = svg("path", {
    d: `M${mx - 8} ${my + 6}l10 -12M${mx - 2} ${my + 6}l10 -12`, class: "cross",
  });
  const texts = lines.map((line, i) => drawText(line, x, top + 14 + 14 * i, ""));
  return svg("g", { class: "stub" }, drawEdge(place, x, top, "cut"), cross, ...texts);
}

function textWidth(text, letter) {
  return text ? [...text].length * letter + 16 : 0;
}
