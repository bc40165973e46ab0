// Plays analysed games through. It decides nothing: every score and sentence was made by the program.
const data = JSON.parse(document.getElementById("data").textContent);
const text = (key) => data.texts[key] ?? key;
const { say, decimal, signed, inWords } = writing(text);

/** The 64 cells of a FEN, from the top left, and the pieces in hand. */
function readFen(fen) {
  const [placement] = fen.split(" ");
  const [board, pocket = ""] = placement.split("[");
  const rows = board.split("/");
  const cells = [];
  for (const letter of rows.slice(0, 8).join("").replaceAll("~", "")) {
    if (/\d/.test(letter)) cells.push(...".".repeat(Number(letter)));
    else cells.push(letter);
  }
  return { cells, pocket: (rows[8] ?? pocket).replace("]", "") };
}

/** The place of a square among the cells. */
const place = (square) => (8 - Number(square[1])) * 8 + FILES.indexOf(square[0]);

/** The pieces in hand, with the letters of the language, and whose they are. */
function inHands(pocket) {
  const of = (key, own) => {
    const letters = [...pocket].filter((letter) => own.test(letter)).map((letter) => say(letter.toUpperCase()));
    return letters.length ? [`${text(key)} ${letters.join("")}`] : [];
  };
  const hands = [...of("player.white", /[A-Z]/), ...of("player.black", /[a-z]/)];
  return hands.length ? `${text("page.hand")}: ${hands.join(" · ")}` : "";
}

/** A date of a game in the language of the page; only the year where the day is not known. */
function readable(date) {
  const [year, month, day] = date.split(/[.\-/]/).map(Number);
  if (!year) return "";
  if (!month || !day) return String(year);
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.toLocaleDateString(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
}

/** The page: one game at a time, at one ply, or in a line beside it. */
class Page {
  constructor() {
    this.turned = false;
    this.build();
    this.open(0);
    this.followLink();
    addEventListener("hashchange", () => this.followLink());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  build() {
    this.title = html("h1");
    this.choice = html("select", { "aria-label": text("page.games"), onchange: () => this.open(this.choice.selectedIndex) });
    // Games without names are told apart by their events.
    const event = (game) => (this.tag(game, "White") ?? this.tag(game, "Black") ? "" : ` · ${this.tag(game, "Event") ?? "?"}`);
    // The number is that of the messages: games without moves have one, too.
    const number = (game, i) => `${game.file ? `${game.file.split(/[\\/]/).pop()} ` : ""}${game.number ?? i + 1}`;
    data.games.forEach((game, i) => this.choice.append(html("option", {}, `${number(game, i)}. ${this.names(game)}${event(game)}`)));
    this.choice.hidden = data.games.length < 2;
    this.facts = html("p", { class: "facts" });
    this.fault = html("p", { class: "facts fault" });
    const button = (key, mark, action) => html("button", { id: key, title: text(key), "aria-label": text(key), onclick: action }, mark);
    const header = html("header", {}, html("div", { class: "game" }, this.title, this.facts, this.fault), this.choice,
      button("page.turn", "⇅", () => this.turn()), button("page.theme", "◐", () => this.theme()));
    this.level = html("div");
    this.scale = html("div", { class: "scale", role: "img" }, this.level);
    this.square = html("div", { class: "square" });
    this.pocket = html("p", { class: "pocket" });
    this.at = html("span", { class: "at", "aria-live": "polite" });
    const controls = html("div", { class: "controls" },
      button("page.first", "|◀", () => this.go(0)), button("page.back", "◀", () => this.step(-1)), this.at,
      button("page.next", "▶", () => this.step(1)), button("page.last", "▶|", () => this.go(this.game.moves.length)),
      button("page.slip", "?!▶", () => this.slip(1)));
    this.graphs = html("div", { class: "graphs" });
    const play = html("section", { class: "play" }, html("div", { class: "table" }, this.scale, this.square),
      html("div", {}, this.pocket, controls), this.graphs);
    this.why = html("div", { class: "why", "aria-live": "polite" });
    this.moments = html("div", { class: "moments" });
    this.moves = html("div", { class: "moves" });
    const notes = html("section", { class: "notes" }, this.why, this.moments, this.moves);
    document.getElementById("app").append(header, play, notes);
  }

  /** What a tag of a game says; undefined if it says nothing. */
  tag(game, name) {
    const [, value] = game.tags.find(([other]) => other === name) ?? [];
    return value && !/^[?*.-]*$/.test(value) ? value : undefined;
  }

  /** Both players with their ratings, and the result. */
  names(game) {
    const player = (name, fallback) => {
      const [found, rating] = [this.tag(game, name) ?? text(fallback), this.tag(game, `${name}Elo`)];
      return rating && rating !== "0" ? `${found} (${rating})` : found;
    };
    return `${player("White", "player.white")} – ${player("Black", "player.black")} ${this.tag(game, "Result") ?? ""}`.trim();
  }

  /** Opening, event, place and date, as far as they are known. */
  factsOf(game) {
    const date = this.tag(game, "Date") ?? this.tag(game, "UTCDate");
    const opening = game.opening ?? [this.tag(game, "ECO"), this.tag(game, "Opening")].filter(Boolean).join(" ");
    const site = this.tag(game, "Site");
    return [opening, this.tag(game, "Event"), site?.includes("://") ? undefined : site, date && readable(date)].filter(Boolean).join(" · ");
  }

  open(index) {
    this.game = data.games[index];
    this.choice.selectedIndex = index;
    this.title.textContent = this.names(this.game);
    this.facts.textContent = this.factsOf(this.game);
    this.fault.textContent = this.game.fault ?? "";
    this.termNames = this.game.moves.find((m) => m)?.termNames ?? [];
    this.drawGraphs();
    this.listMoves();
    this.go(0);
  }

  /** The position after `ply` half-moves. */
  go(ply) {
    this.ply = Math.min(this.game.moves.length, Math.max(0, ply));
    this.line = null;
    this.show();
  }

  /** One step forward or back, in the game or in the line that is shown. */
  step(by) {
    if (!this.line) return this.go(this.ply + by);
    const at = this.line.at + by;
    if (at < 0) return this.go(this.ply);
    this.line.at = Math.min(this.line.steps.length - 1, at);
    this.show();
  }

  /** The next mistake in a direction. */
  slip(by) {
    let ply = this.ply + by;
    while (ply > 0 && ply <= this.game.moves.length && !this.game.moves[ply - 1]?.judgement) ply += by;
    if (ply > 0 && ply <= this.game.moves.length) this.go(ply);
  }

  turn() { this.turned = !this.turned; this.show(); }

  theme() {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    const actions = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowDown: () => this.slip(1),
      ArrowUp: () => this.slip(-1), Home: () => this.go(0), End: () => this.go(this.game.moves.length),
      Escape: () => this.go(this.ply), f: () => this.turn(), t: () => this.theme(),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** `#12` opens ply 12, `#g2` the second game, `#dark` the dark colours. */
  followLink() {
    for (const word of location.hash.slice(1).split(",")) {
      if (word === "dark") document.documentElement.dataset.theme = "dark";
      if (/^g\d+$/.test(word)) this.open(this.placeOf(Number(word.slice(1))));
      if (/^\d+$/.test(word)) this.go(Number(word));
    }
  }

  /** The place of the game with this number; where there is none, that at this place. */
  placeOf(number) {
    const found = data.games.findIndex((game) => !game.file && game.number === number);
    return found < 0 ? Math.min(data.games.length, Math.max(1, number)) - 1 : found;
  }

  show() {
    const move = this.game.moves[this.ply - 1];
    const shown = this.line ? this.line.steps[this.line.at] : move;
    const { cells, pocket } = readFen(shown?.fen ?? this.fenAt(this.ply));
    const order = this.turned ? [...cells].reverse() : cells;
    const changed = (shown?.squares ?? []).map((square) => (this.turned ? 63 - place(square) : place(square)));
    const label = shown ? say(shown.name) : text("page.start");
    const board = drawBoard({ kind: "chess", columns: 8, cells: order }, `${label}. ${inWords(cells)}`, changed);
    this.addCoordinates(board);
    if (!this.line && move?.better.length) board.append(this.arrow(move.better[0].squares, "better"));
    if (shown) board.append(this.arrow(shown.squares, "played"));
    this.square.replaceChildren(board);
    this.pocket.textContent = inHands(pocket);
    const chance = this.chanceAt(this.ply);
    this.level.style.height = `${chance}%`;
    this.scale.classList.toggle("turned", this.turned);
    this.scale.setAttribute("aria-label", `${text("page.chance")}: ${decimal(chance)} %`);
    this.at.replaceChildren(...unbroken(shown ? `${say(shown.name)}${!this.line && move?.mark ? move.mark : ""}` : text("page.start")));
    this.showWhy(move);
    this.mark();
  }

  /** The names of files and ranks at the edge. */
  addCoordinates(board) {
    for (let i = 0; i < 8; i += 1) {
      const [file, rank] = this.turned ? [FILES[7 - i], i + 1] : [FILES[i], 8 - i];
      board.append(svg("text", { class: "coordinate", x: i * 45 + 43, y: 358, "text-anchor": "end" }, file));
      board.append(svg("text", { class: "coordinate", x: 2, y: i * 45 + 9 }, String(rank)));
    }
  }

  fenAt(ply) {
    for (let at = ply; at > 0; at -= 1) if (this.game.moves[at - 1]) return this.game.moves[at - 1].fen;
    return this.game.start;
  }

  chanceAt(ply) {
    for (let at = ply; at > 0; at -= 1) if (this.game.moves[at - 1]) return this.game.moves[at - 1].chance;
    return 50;
  }

  /** An arrow from the first square to the second; it ends before the middle of its target. */
  arrow(squares, kind) {
    const middle = (square) => {
      const at = this.turned ? 63 - place(square) : place(square);
      return [(at % 8) * 45 + 22.5, Math.floor(at / 8) * 45 + 22.5];
    };
    const group = svg("g", { class: `arrow ${kind}` });
    if (squares.length < 2) return group;
    const [[x1, y1], [x2, y2]] = squares.map(middle);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [x, y] = [x2 - dx * 8, y2 - dy * 8];
    group.append(svg("path", { d: `M${x1 + dx * 10} ${y1 + dy * 10}L${x} ${y}` }));
    const side = (sign) => `${x - dx * 11 + sign * dy * 8} ${y - dy * 11 - sign * dx * 8}`;
    group.append(svg("path", { d: `M${side(1)}L${x} ${y}L${side(-1)}`, "stroke-dasharray": "none" }));
    return group;
  }

  showWhy(move) {
    const parts = [];
    if (!move) {
      parts.push(this.playersTable());
    } else {
      const verdict = move.judgement ? ` ${move.mark} ${text(`judgement.${move.judgement}`)}, −${decimal(move.points)} %` : "";
      parts.push(html("p", { class: "verdict" }, `${say(move.name)}  ${signed(move.eval ?? "")}${verdict}`));
      if (move.reason) parts.push(html("p", {}, move.reason));
      if (move.quiet) parts.push(html("p", {}, move.quiet));
      if (move.better.length) parts.push(this.lineOf(text("page.better"), move.better));
      // It begins with the move itself.
      if (move.refutation.length > 1) parts.push(this.lineOf(text("page.refutation").replace("{move}", say(move.name)), move.refutation, 1));
    }
    this.why.replaceChildren(...parts);
  }

  /** A line whose moves from the one at `first` on can be shown on the board. */
  lineOf(label, steps, first = 0) {
    const buttons = steps.map((step, at) => {
      const isLit = this.line?.steps === steps && this.line.at === at;
      const show = () => { this.line = { steps, at }; this.show(); };
      return html("button", { class: isLit ? "lit" : undefined, onclick: show }, say(step.name));
    });
    return html("p", { class: "line" }, html("b", {}, `${label}: `), ...buttons.slice(first));
  }

  playersTable() {
    const cells = (values) => values.map((value) => html("td", {}, String(value)));
    const heads = ["accuracy", "loss", "inaccuracy", "mistake", "blunder"].map((key) => html("th", { scope: "col" }, text(`page.${key}`)));
    const rows = this.game.players.map((player, i) => html("tr", {}, html("th", { scope: "row" }, text(i ? "player.black" : "player.white")),
      ...cells(player.moves ? [`${decimal(player.accuracy)} %`, player.loss, ...player.verdicts] : heads.map(() => "–"))));
    return html("table", { class: "players" }, html("tr", {}, html("th", {}, ""), ...heads), ...rows);
  }

  listMoves() {
    const parts = [];
    this.buttons = this.game.moves.map((move, i) => {
      if (!move) { parts.push(html("span", { class: "number" }, "--")); return null; }
      const number = move.name.slice(0, move.name.length - move.san.length);
      const isShown = !number.endsWith("...") || i === 0;
      const look = move.judgement ? "slip" : undefined;
      const button = html("button", { class: look, title: move.reason ?? undefined, onclick: () => this.go(i + 1) }, `${say(move.san)}${move.mark ?? ""}`);
      parts.push(isShown ? html("span", { class: "numbered" }, html("span", { class: "number" }, number), button) : button, " ");
      return button;
    });
    this.moves.replaceChildren(...parts);
    const decisive = this.game.moves.map((move, i) => ({ move, ply: i + 1 })).filter(({ move }) => move?.judgement);
    decisive.sort((one, other) => other.move.points - one.move.points);
    const first = decisive.slice(0, 5).sort((one, other) => one.ply - other.ply);
    const items = first.map(({ move, ply }) => html("li", {}, html("button", { title: move.reason, onclick: () => this.go(ply) }, `${say(move.name)}${move.mark}`)));
    this.moments.replaceChildren(html("h2", {}, text("page.moments")), items.length ? html("ol", {}, ...items) : html("p", {}, text("page.no-moments")));
  }

  mark() {
    this.buttons.forEach((button, i) => {
      if (!button) return;
      button.classList.toggle("lit", i + 1 === this.ply);
      if (i + 1 === this.ply && this.moves.scrollHeight > this.moves.clientHeight) button.scrollIntoView({ block: "nearest" });
    });
    const x = this.x(this.ply);
    for (const cursor of this.cursors) { cursor.setAttribute("x1", x); cursor.setAttribute("x2", x); }
  }

  x(ply) { return (ply / Math.max(1, this.game.moves.length)) * 1000; }

  /** A picture over the plies on which one clicks. */
  picture(kind, height, label) {
    const picture = svg("svg", { class: kind, viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
    picture.addEventListener("click", (event) => {
      const { left, width } = picture.getBoundingClientRect();
      this.go(Math.round(((event.clientX - left) / width) * this.game.moves.length));
    });
    return picture;
  }

  drawGraphs() {
    this.cursors = [];
    const cursor = (height) => {
      const line = svg("line", { class: "cursor", y1: 0, y2: height });
      this.cursors.push(line);
      return line;
    };
    const graph = this.picture("graph", 100, text("page.graph"));
    let path = "M0 100L0 50";
    this.game.moves.forEach((_, i) => { path += `L${this.x(i + 1)} ${100 - this.chanceAt(i + 1)}`; });
    graph.append(svg("path", { class: "area", d: `${path}L1000 100Z` }), svg("line", { class: "half", x1: 0, x2: 1000, y1: 50, y2: 50 }));
    this.game.moves.forEach((move, i) => {
      if (!move?.judgement) return;
      const look = move.judgement === "inaccuracy" ? "moment slight" : "moment";
      graph.append(svg("line", { class: look, x1: this.x(i + 1), x2: this.x(i + 1), y1: 0, y2: 100 }));
    });
    graph.append(cursor(100));
    const parts = [html("span", { class: "label" }, text("page.chance")), graph];
    this.termNames.forEach((name) => {
      const label = text(`term.${name.replaceAll(" ", "-")}`);
      const band = this.picture("band", 40, label);
      const values = this.game.moves.map((move) => { const at = move ? move.termNames.indexOf(name) : -1; return at < 0 ? 0 : move.terms[at]; });
      const most = Math.max(100, ...values.map(Math.abs));
      const width = 1000 / Math.max(1, values.length);
      values.forEach((value, i) => {
        const height = (Math.abs(value) / most) * 19;
        const side = value > 0 ? "for-white" : "for-black";
        if (height > 0.2) band.append(svg("rect", { class: side, x: i * width, y: value > 0 ? 20 - height : 20, width, height }));
      });
      band.append(svg("line", { class: "zero", x1: 0, x2: 1000, y1: 20, y2: 20 }), cursor(40));
      parts.push(html("span", { class: "label", title: `±${decimal((most / 100).toFixed(1))}` }, label), band);
    });
    this.graphs.replaceChildren(...parts);
  }
}

if (data.games.length) globalThis.page = new Page();
else document.getElementById("app").append(html("p", {}, text("page.no-games")));
