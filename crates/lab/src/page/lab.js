// Replays recorded searches. It decides nothing: every step was made by the program.
/** What the page shows: { title, texts, board, searches, … }. A page shows one lesson at a time. */
let data;
const text = (key) => data.texts[key] ?? key;
const fill = (key, values) => text(key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** A tree with at most this many nodes is shown whole from the beginning, so that nothing moves. */
const SMALL = 240;
/** The least scale at which the small letters can be read. */
const READABLE = 0.7;
/** Nodes shown at once in a greater tree. */
const SHOWN = 100;
/** Most states of the list of SSS* that are shown. */
const LISTED = 12;

const { inWords } = writing(text);

/** A board in words, for whoever hears the page: that of chess as everywhere, others row by row as they are drawn. */
function boardInWords({ kind, columns, cells }) {
  if (kind === "chess") return inWords(cells);
  const row = (number) => cells.slice(number * columns, (number + 1) * columns).map((cell) => (cell === "." ? text("page.empty") : cell));
  const rows = Array.from({ length: cells.length / columns }, (_, number) => fill("page.row", { number: number + 1, cells: row(number).join(", ") }));
  return rows.join(" ");
}

/** A search: its record, and the state of every node after the steps made so far. */
class Replay {
  // What the record has.
  title; idea; errata; code; depth; players; nodes; steps; keys; labels; variation; lastPly; value; best;

  constructor(record) {
    Object.assign(this, record);
    this.at = 0;
    this.states = [];
    this.undo = [];
    this.children = record.nodes.map(() => []);
    record.nodes.forEach(([parent], node) => node && this.children[parent].push(node));
    this.main = new Set(record.variation);
    this.totals = this.countAll();
  }

  /** Running counts after each step: nodes, leaves, moves cut off, table hits. */
  countAll() {
    const totals = [[0, 0, 0, 0]];
    for (const [, kind, numbers] of this.steps) {
      const now = [...totals[totals.length - 1]];
      if (kind === "enter") now[0] += 1;
      if (kind === "leaf") now[1] += 1;
      if (kind === "cut" || kind === "guess") now[2] += numbers[2].length;
      if (kind === "hit") now[3] += 1;
      if (kind === "hidden") { now[0] += numbers[0]; now[1] += numbers[1]; }
      totals.push(now);
    }
    return totals;
  }

  label(value) { return this.labels[value] ?? value; }

  name(node) { return node ? this.nodes[node][1] : text("drawing.root"); }

  /** The node's state after one more step. */
  after(state, kind, numbers) {
    switch (kind) {
      case "enter": return { ...state, visits: (state.visits ?? 0) + 1, isOpen: true };
      case "window": return { ...state, window: numbers, cuts: [] };
      case "narrow": return { ...state, window: numbers };
      case "leaf": return { ...state, value: numbers[0], bound: 0, shares: numbers };
      case "hit": return { ...state, value: numbers[0], bound: numbers[1], isHit: true };
      case "return": return { ...state, value: numbers[0], bound: numbers[1], isDone: true };
      case "cut": case "guess": return { ...state, cuts: [...(state.cuts ?? []), numbers] };
      case "shares": return { ...state, shares: numbers };
      case "state": return { ...state, list: numbers };
      default: return state;
    }
  }

  forward() {
    if (this.at >= this.steps.length) return false;
    const [node, kind, numbers] = this.steps[this.at];
    const before = this.states[node];
    this.undo[this.at] = before;
    this.states[node] = this.after(before ?? {}, kind, numbers);
    this.at += 1;
    return true;
  }

  back() {
    if (this.at === 0) return false;
    this.at -= 1;
    this.states[this.steps[this.at][0]] = this.undo[this.at];
    return true;
  }

  go(target) {
    while (this.at < target && this.forward());
    while (this.at > target && this.back());
  }

  /** The next step of one of these kinds, after `from`; the end if there is none. */
  next(kinds, from = this.at) {
    for (let i = from; i < this.steps.length; i++) if (kinds.includes(this.steps[i][1])) return i + 1;
    return this.steps.length;
  }

  get step() { return this.at ? this.steps[this.at - 1] : null; }
  get here() { return this.step ? this.step[0] : 0; }

  sentence() {
    if (!this.step || this.step[3] === undefined) return "";
    const [key, names] = this.keys[this.step[3]];
    return fill(key, Object.fromEntries(names.map((name, i) => [name, this.step[4][i]])));
  }

  /** The name above a node; in a game for many with the player who chooses there, and at a leaf nobody does. */
  heading(node) {
    if (this.players === 2 || !this.children[node].length) return this.name(node);
    return `${this.name(node)}: ${fill("player.number", { number: this.nodes[node][3] + 1 })}`;
  }

  path(node) {
    const path = [node];
    while (path[0]) path.unshift(this.nodes[path[0]][0]);
    return path;
  }

  /** The value in a node: a number, a bound, a vector, or a state of SSS*. */
  worth(node) {
    const state = this.states[node];
    if (!state) return "";
    if (state.shares && this.players > 2) return state.shares.map((v) => this.label(v)).join(" ");
    if (state.list && !state.isDone) {
      return `${text(state.list[0] ? "page.solved" : "page.live")} ${this.label(state.list[1])}`;
    }
    if (state.value === undefined) return "";
    return ["≤ ", "", "≥ "][state.bound + 1] + this.label(state.value);
  }

  /** The node as Trujillo's paper keeps it: id, parent, type, state, utility, best action, depth. */
  record(node) {
    const path = this.path(node);
    const value = this.states[node]?.value;
    const worth = (other) => (this.players > 2 ? this.worth(other) : this.states[other]?.value);
    const best = this.children[node].find((child) => value !== undefined && worth(child) === worth(node));
    const side = text(this.nodes[node][2] ? "player.min" : "player.max");
    const state = path.slice(1).map((on) => this.name(on)).join(" ") || this.name(0);
    return [node, node ? this.nodes[node][0] : "–", side, state, this.worth(node) || "–",
      best === undefined ? "–" : this.name(best), Math.max(0, this.depth - path.length + 1)];
  }

  windowText(node) {
    const window = this.states[node]?.window;
    return window ? `α ${this.label(window[0])} β ${this.label(window[1])}` : "";
  }

  board(node) {
    if (!data.board) return null;
    const cells = [...data.board.cells];
    let changed = [];
    for (const on of this.path(node)) {
      const changes = this.nodes[on][5];
      changed = [];
      for (let i = 0; i < changes.length; i += 2) {
        cells[changes[i]] = changes[i + 1];
        if (on) changed.push(changes[i]);
      }
    }
    return [{ ...data.board, cells }, changed];
  }

  /** The list of SSS*: live and solved states that have not been purged, the best for the player at the root first. */
  list() {
    const states = new Map();
    const isOwn = (node) => this.nodes[node][2] === this.nodes[0][2];
    const forget = (nodes) => { for (const node of nodes) states.delete(node); };
    for (let i = 0; i < this.at; i++) {
      const [node, kind, numbers] = this.steps[i];
      if (kind === "state") {
        // Who has opened a state has taken it from the list; of the opponent's moves one at a time is in it.
        forget(this.path(node).slice(0, -1));
        if (node && isOwn(node)) forget(this.children[this.nodes[node][0]]);
        states.set(node, numbers);
      }
      if (kind === "purge") {
        for (const other of [...states.keys()]) {
          if (other !== node && this.path(other).includes(node)) states.delete(other);
        }
      }
    }
    const sign = this.nodes[0][2] ? -1 : 1;
    return [...states].sort((a, b) => sign * (b[1][1] - a[1][1]));
  }
}

/** One search on the page: its tree and its facts. */
class Panel {
  constructor(replay, board) {
    this.replay = replay;
    this.isSmall = replay.nodes.length <= SMALL;
    this.folds = new Map();
    this.isFollowing = true;
    this.drawn = new Map();
    const tree = html("div", { class: "tree" });
    this.facts = html("div");
    const aside = html("aside", { class: "facts", "aria-label": replay.title }, this.facts);
    this.element = html("div", { class: "search" }, tree, aside);
    this.view = new View(tree, `${text("page.tree")}: ${replay.title}`);
    this.buildFacts(board);
  }

  buildFacts(board) {
    const part = (title, ...children) => html("section", {}, html("h2", {}, title), ...children);
    this.say = html("p", { class: "say", "aria-live": "polite" });
    this.counts = ["nodes", "leaves", "cuts", "hits"].map((key) => [key, html("dd", {}, "0")]);
    const count = ([key, value]) => html("div", {}, html("dt", {}, text("page." + key)), value);
    this.code = this.replay.code.map(([tags, line]) => [tags, html("li", {}, line)]);
    this.boardHolder = html("div");
    this.listBody = html("tbody");
    this.pathHolder = html("p", { class: "path" });
    this.recordFields = ["id", "parent", "type", "state", "utility", "action", "depth"]
      .map((key) => [key, html("dd", {})]);
    const head = ["node", "state"].map((key) => html("th", {}, text("page." + key)));
    const isList = this.replay.steps.some(([, kind]) => kind === "state");
    // Shown at the end only, so that it can be guessed.
    this.result = html("p");
    this.facts.append(
      html("p", { class: "name" }, this.replay.title),
      html("section", {}, this.say),
      html("section", {}, html("dl", { class: "count" }, ...this.counts.map(count))),
      ...(board ? [part(text("page.board"), this.boardHolder)] : []),
      part(text("page.path"), this.pathHolder),
      ...(isList ? [part(text("page.list"), html("table", { class: "list" },
        html("thead", {}, html("tr", {}, ...head, html("th", {}, "ĥ"))), this.listBody))] : []),
      part(text("page.code"), html("ol", { class: "code" }, ...this.code.map(([, line]) => line))),
      ...(this.replay.errata ? [html("details", { class: "errata" }, html("summary", {}, text("page.errata")),
        html("ul", {}, ...this.replay.errata.split("\n").map((slip) => html("li", {}, slip))))] : []),
      part(text("page.record"), html("dl", { class: "record" }, ...this.recordFields.map(([key, value]) =>
        html("div", {}, html("dt", {}, text("record." + key)), value)))),
      html("section", { class: "more" }, this.result, html("p", {}, this.replay.idea),
        ...(this.replay.lastPly ? [fill("page.folded-note", { ply: this.replay.lastPly })] : [])),
    );
    this.isList = isList;
  }

  /** The nodes whose children are shown: the path, then what was visited last. */
  openNodes() {
    const { replay } = this;
    const open = new Set(replay.path(replay.here));
    let room = SHOWN;
    for (let i = replay.at - 1; i >= 0 && room > 0 && i > replay.at - 4 * SHOWN; i--) {
      for (const node of replay.path(replay.steps[i][0])) {
        if (!open.has(node)) { open.add(node); room -= replay.children[node].length; }
      }
    }
    for (const [node, isFolded] of this.folds) if (isFolded) open.delete(node); else open.add(node);
    return open;
  }

  shown(node, open) {
    if (this.isSmall) return this.folds.get(node) ? [] : this.replay.children[node];
    if (!open.has(node)) return [];
    const visited = this.replay.children[node].filter((child) => this.replay.states[child]);
    if (visited.length <= 14) return visited;
    const path = new Set(this.replay.path(this.replay.here));
    const last = visited.slice(-10);
    return visited.filter((child) => last.includes(child) || path.has(child) || this.replay.main.has(child));
  }

  stubs(node, open) {
    const cuts = this.replay.states[node]?.cuts ?? [];
    if (!this.isSmall && !open.has(node)) return [];
    return cuts.map(([bound, why, names]) => {
      const reason = bound === null ? text(why) : `${why === "α" ? "≤" : "≥"} ${why} ${this.replay.label(bound)}`;
      const few = names.length > 2 ? `${names[0]} … ${names[names.length - 1]}` : names.join(", ");
      return { lines: [few, reason], width: Math.max(textWidth(few, BOX.small), textWidth(reason, BOX.small)) };
    });
  }

  /** The final cut stubs of small trees keep their room from the beginning. */
  reserve() {
    const last = this.replay.steps.length;
    const at = this.replay.at;
    this.replay.go(last);
    const open = new Set(this.replay.nodes.keys());
    const kept = new Map(this.replay.nodes.map((_, node) => [node, this.stubs(node, open)]));
    const widths = this.replay.nodes.map((_, node) => this.boxWidth(node));
    this.replay.go(at);
    return { kept, widths };
  }

  boxWidth(node) {
    const { replay } = this;
    const window = textWidth(replay.windowText(node), BOX.small);
    const again = replay.states[node]?.visits > 1 ? 40 : 0;
    // The states of SSS* need room from the beginning.
    const least = this.isList ? textWidth(`${text("page.solved")} +∞`, BOX.letter) : BOX.width;
    return Math.max(least, textWidth(replay.worth(node), BOX.letter), window,
      textWidth(replay.heading(node), 7), again);
  }

  draw() {
    const open = this.openNodes();
    if (this.isSmall && !this.reserved) this.reserved = this.reserve();
    const shape = (node) => ({
      width: Math.max(this.isSmall ? this.reserved.widths[node] : 0, this.boxWidth(node)),
      children: this.shown(node, open),
      stubs: this.isSmall ? this.reserved.kept.get(node) : this.stubs(node, open),
    });
    const layout = layOut(0, shape);
    this.layout = layout;
    const edges = [];
    const nodes = [];
    const used = new Map();
    /** An element that is drawn anew only if its signature is new. */
    const keep = (signature, make) => {
      const element = this.drawn.get(signature) ?? make();
      used.set(signature, element);
      return element;
    };
    for (const [node, place] of layout.places) {
      const isVisible = node === 0 || this.replay.states[node];
      if (!isVisible) continue;
      const parent = node ? layout.places.get(this.replay.nodes[node][0]) : null;
      if (parent) {
        const look = this.isMain(node) ? "main" : "";
        const [from, to] = [`${parent.x} ${parent.y}`, `${place.x} ${place.y}`];
        edges.push(keep(`e ${node} ${from} ${to} ${look}`,
          () => drawEdge(parent, place.x, place.y - BOX.height / 2, look)));
      }
      this.stubs(node, open).forEach((stub, i) => {
        const end = place.stubEnds[i];
        if (end === undefined) return;
        const signature = `s ${node} ${place.x} ${place.y} ${end} ${stub.lines.join()}`;
        edges.push(keep(signature, () => drawStub(place, end, stub.lines)));
      });
      const group = keep(this.signature(node, place), () => this.drawNode(node, place));
      group.setAttribute("transform", `translate(${place.x} ${place.y})`);
      nodes.push(group);
    }
    this.drawn = used;
    this.put([...edges, ...nodes]);
  }

  /** Puts these elements into the picture, and leaves those in place that are there already. */
  put(elements) {
    const layer = this.view.layer;
    const wanted = new Set(elements);
    for (const child of [...layer.children]) if (!wanted.has(child)) child.remove();
    let at = layer.firstChild;
    for (const element of elements) {
      if (element === at) at = at.nextSibling;
      else layer.insertBefore(element, at);
    }
  }

  /** Everything that the picture of a node depends on, but its place. */
  signature(node, place) {
    const { replay } = this;
    const state = replay.states[node] ?? {};
    return ["n", node, place.width, node === replay.here, this.isMain(node), replay.worth(node),
      replay.windowText(node), state.visits, state.isDone, this.hiddenBelow(node)].join();
  }

  isMain(node) {
    return this.replay.at === this.replay.steps.length && this.replay.main.has(node);
  }

  drawNode(node, place) {
    const { replay } = this;
    const [, , side, mover] = replay.nodes[node];
    const state = replay.states[node] ?? {};
    const isMany = replay.players > 2;
    const player = isMany ? fill("player.number", { number: mover + 1 }) : text(side ? "player.min" : "player.max");
    const look = ["node", side && !isMany ? "min" : "max", node === replay.here ? "now" : "",
      this.isMain(node) ? "main" : "", state.isDone || state.value !== undefined ? "done" : ""].join(" ");
    const window = replay.windowText(node);
    const label = [replay.name(node), player, replay.worth(node), window].filter(Boolean).join(", ");
    const group = svg("g", {
      class: look, role: "img", "aria-label": label, "data-node": node,
    }, drawBox(place, side && !isMany));
    group.append(drawText(replay.heading(node), 0, -BOX.height / 2 - 6, "name"));
    group.append(drawText(replay.worth(node), 0, window ? -1 : 5, "label"));
    if (window) group.append(drawText(window, 0, 13, "window"));
    if (state.visits > 1) group.append(drawText(`${state.visits}×`, place.width / 2, -BOX.height / 2 - 6, "again"));
    const below = this.hiddenBelow(node);
    if (below) group.append(drawText(`+${below}`, 0, BOX.height / 2 + 14, "window"));
    group.addEventListener("click", () => this.click(node));
    return group;
  }

  /** Children that were visited and are not shown. */
  hiddenBelow(node) {
    const { replay } = this;
    const visited = replay.children[node].filter((child) => replay.states[child]);
    return visited.filter((child) => !this.layout.places.has(child)).length;
  }

  click(node) {
    if (this.view.isMoved || !this.replay.children[node].length) return;
    const isShown = this.replay.children[node].some((child) => this.layout.places.has(child));
    this.folds.set(node, isShown);
    this.draw();
  }

  foldAll() {
    const level = (node) => this.replay.path(node).length;
    const isFolded = [...this.folds.values()].some(Boolean);
    this.folds.clear();
    if (!isFolded) this.replay.nodes.forEach((_, node) => level(node) > 1 && this.folds.set(node, true));
    this.draw();
    this.fit();
  }

  /** Shows the whole tree, or with a least scale as much of it as can be read. */
  fit(least) {
    this.view.fit(this.layout.width, this.layout.height, this.isSmall ? 1.6 : 0.9, least);
  }

  show() {
    const { replay } = this;
    this.draw();
    this.say.replaceChildren(...unbroken(replay.sentence()));
    replay.totals[replay.at].forEach((count, i) => { this.counts[i][1].textContent = count; });
    const isEnd = replay.at === replay.steps.length;
    this.result.replaceChildren(...unbroken(isEnd ? `${text("page.result")}: ${replay.value}, ${replay.best}` : ""));
    // The value that the root returns goes up to no loop: it is the result.
    const isResult = replay.here === 0 && replay.step?.[1] === "return";
    const hasResult = this.code.some(([tags]) => tags.includes("result"));
    const kind = isResult && hasResult ? "result" : replay.step?.[1];
    for (const [tags, line] of this.code) line.classList.toggle("lit", tags.includes(kind));
    const record = replay.record(replay.here);
    this.recordFields.forEach(([, field], i) => { field.replaceChildren(...unbroken(String(record[i]))); });
    this.pathHolder.replaceChildren(...unbroken(replay.path(replay.here).map((node) => replay.name(node)).join(" → ")));
    if (data.board && this.boardNode !== replay.here) {
      const [board, changed] = replay.board(replay.here);
      this.boardHolder.replaceChildren(drawBoard(board, `${replay.name(replay.here)}. ${boardInWords(board)}`, changed));
      this.boardNode = replay.here;
    }
    if (this.isList) this.listBody.replaceChildren(...replay.list().slice(0, LISTED).map(([node, [isSolved, h]]) =>
      html("tr", {}, html("td", {}, replay.path(node).slice(1).map((n) => replay.name(n)).join(".") || text("drawing.root")),
        html("td", {}, text(isSolved ? "page.solved" : "page.live")), html("td", {}, replay.label(h)))));
    const place = this.layout.places.get(replay.here);
    if (this.isFollowing && place) this.view.follow(place.x, place.y);
  }
}

/** The page: panels, controls, keyboard. */
class Lesson {
  /** Shows `lesson`, the data that the program has written, in the element `holder`. */
  constructor(lesson, holder) {
    data = lesson;
    this.holder = holder;
    this.ending = new AbortController();
    this.panels = data.searches.map((record) => new Panel(new Replay(record), data.board));
    this.length = Math.max(...this.panels.map((panel) => panel.replay.steps.length));
    this.at = 0;
    this.timer = null;
    this.build();
    // The first step enters the root. A link may name another, as in page.html#30 or page.html#end.
    this.go(1);
    for (const panel of this.panels) panel.fit(READABLE);
    this.go(1);
    this.followLink();
    addEventListener("hashchange", () => this.followLink(), { signal: this.ending.signal });
  }

  /** Ends the lesson, so that another may begin. */
  close() {
    this.pause();
    this.ending.abort();
    this.holder.replaceChildren();
  }

  build() {
    const button = (key, sign, action, look = "") => html("button", {
      type: "button", title: text(key), "aria-label": text(key), onclick: action, class: look, id: key,
    }, sign);
    this.slider = html("input", { type: "range", min: 0, max: this.length, value: 0, "aria-label": text("page.step"),
      oninput: () => { this.pause(); this.go(Number(this.slider.value)); } });
    this.place = html("span", { class: "at" });
    this.playButton = button("page.play", "▶", () => this.toggle());
    const speeds = [1, 2, 4, 10, 40, 200, 1000].map((n) => html("option", { value: n }, `${n}/s`));
    this.speed = html("select", { "aria-label": text("page.speed"), title: text("page.speed") }, ...speeds);
    this.speed.value = "2";
    const header = html("header", {}, html("h1", {}, data.title),
      button("page.quiz", "?", () => openQuiz(this)), button("page.theme", "◐", () => this.theme()));
    const footer = html("footer", {},
      button("page.start", "⇤", () => this.go(0)), button("page.back", "←", () => this.move(-1)), this.playButton,
      button("page.forward", "→", () => this.move(1)), button("page.next-cut", "✂", () => this.jump(["cut", "guess"])),
      button("page.next-pass", "↻", () => this.jump(["pass"]), this.hasPasses() ? "" : "wide"),
      button("page.end", "⇥", () => this.go(this.length)), this.speed, this.slider, this.place,
      button("page.zoom-in", "+", () => this.each((panel) => panel.view.zoom(1.25)), "wide"),
      button("page.zoom-out", "−", () => this.each((panel) => panel.view.zoom(0.8)), "wide"),
      button("page.fit", "⤢", () => this.each((panel) => panel.fit())),
      button("page.fold-all", "⊟", () => this.each((panel) => panel.foldAll())));
    const searches = html("div", { id: "searches", class: this.panels.length > 1 ? "two" : "" },
      ...this.panels.map((panel) => panel.element));
    this.holder.append(header, searches, footer);
    const another = data.command ? [html("p", {}, text("page.another")), html("code", {}, data.command)] : [];
    const more = html("section", { class: "more" }, ...another, html("p", { class: "wide" }, text("page.keys")));
    this.panels[this.panels.length - 1].facts.append(more);
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.ending.signal });
  }

  followLink() {
    const words = location.hash.slice(1).split(",");
    if (words.includes("dark")) document.documentElement.dataset.theme = "dark";
    if (words.includes("end")) this.go(this.length);
    for (const word of words) if (/^\d+$/.test(word)) this.go(Number(word));
  }

  hasPasses() { return this.panels.some((panel) => panel.replay.steps.some(([, kind]) => kind === "pass")); }

  each(action) { this.panels.forEach(action); }

  theme() {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  }

  go(target) {
    this.at = Math.min(this.length, Math.max(0, target));
    for (const panel of this.panels) {
      panel.replay.go(Math.min(this.at, panel.replay.steps.length));
      panel.show();
    }
    this.slider.value = this.at;
    this.place.textContent = `${text("page.step")} ${this.at} ${text("page.of")} ${this.length}`;
    if (this.at === this.length) this.pause();
  }

  move(by) { this.pause(); this.go(this.at + by); }

  /** Goes to the next step of these kinds in any of the searches. */
  jump(kinds) {
    this.pause();
    this.go(Math.min(...this.panels.map((panel) => panel.replay.next(kinds, this.at))));
  }

  toggle() { if (this.timer) this.pause(); else this.play(); }

  play() {
    if (this.at === this.length) this.go(0);
    let last = performance.now();
    let due = 0;
    const tick = (now) => {
      due += ((now - last) / 1000) * Number(this.speed.value);
      last = now;
      const steps = Math.floor(due);
      due -= steps;
      if (steps) this.go(this.at + steps);
      if (this.timer) this.timer = requestAnimationFrame(tick);
    };
    this.timer = requestAnimationFrame(tick);
    this.sign("page.pause", "❚❚");
  }

  pause() {
    if (this.timer) cancelAnimationFrame(this.timer);
    this.timer = null;
    this.sign("page.play", "▶");
  }

  sign(key, sign) {
    this.playButton.textContent = sign;
    this.playButton.title = text(key);
    this.playButton.setAttribute("aria-label", text(key));
  }

  key(event) {
    if (event.target.closest("input[type=text], dialog, select") || event.ctrlKey || event.metaKey) return;
    const keys = {
      ArrowRight: () => this.move(1), ArrowLeft: () => this.move(-1), " ": () => this.toggle(),
      Home: () => this.go(0), End: () => this.go(this.length),
      c: () => this.jump(["cut", "guess"]), p: () => this.jump(["pass"]),
      "+": () => this.each((panel) => panel.view.zoom(1.25)), "-": () => this.each((panel) => panel.view.zoom(0.8)),
      0: () => this.each((panel) => panel.fit()), f: () => this.each((panel) => panel.foldAll()),
      q: () => openQuiz(this), t: () => this.theme(),
    };
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
