// Boards: chess with pieces, marks in cells, discs in columns. Cells come from the top left.
const SVG = "http://www.w3.org/2000/svg";

/** An element of SVG with attributes. */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The marks of one cell of 45 by 45. */
function drawMark(kind, cell, x, y) {
  if (kind === "chess") {
    const colour = cell === cell.toUpperCase() ? "white" : "black";
    const href = "#piece-" + cell.toLowerCase();
    return svg("use", { href, x, y, width: 45, height: 45, class: "piece " + colour });
  }
  if (kind === "discs") {
    return svg("circle", { cx: x + 22.5, cy: y + 22.5, r: 16, class: cell === "X" ? "disc-x" : "disc-o" });
  }
  if (cell === "O") return svg("circle", { cx: x + 22.5, cy: y + 22.5, r: 13, class: "mark" });
  const d = cell === "X" ? "M11 11L34 34M34 11L11 34" : "M10 34L22.5 11L35 34Z";
  return svg("path", { d, transform: `translate(${x} ${y})`, class: "mark" });
}

/** A board { kind, columns, cells } as an SVG element; `changed` cells are framed. */
function drawBoard(board, label, changed = []) {
  const rows = board.cells.length / board.columns;
  const size = { viewBox: `0 0 ${board.columns * 45} ${rows * 45}`, class: "board", role: "img" };
  const picture = svg("svg", { ...size, "aria-label": label });
  board.cells.forEach((cell, i) => {
    const [column, row] = [i % board.columns, Math.floor(i / board.columns)];
    const [x, y] = [column * 45, row * 45];
    const shade = (column + row) % 2 ? "dark" : "light";
    const look = { chess: shade, marks: "cell", discs: "hole" }[board.kind];
    picture.append(svg("rect", { x, y, width: 45, height: 45, class: look }));
    if (cell !== ".") picture.append(drawMark(board.kind, cell, x, y));
  });
  for (const i of changed) {
    const [x, y] = [(i % board.columns) * 45, Math.floor(i / board.columns) * 45];
    const frame = { x: x + 1.5, y: y + 1.5, width: 42, height: 42, fill: "none", class: "changed" };
    picture.append(svg("rect", frame));
  }
  return picture;
}
