// Questions about the recorded search, checked on the spot against the record.
const score = { right: 0, asked: 0 };

/** Opens a question: the leaves that are cut off, if the whole tree is small, or a window. */
function openQuiz(lesson) {
  lesson.pause();
  const dialog = html("dialog", { "aria-label": text("page.quiz") });
  const close = html("button", { type: "button", onclick: () => dialog.close() }, text("page.close"));
  const tally = html("p");
  const showTally = () => { tally.textContent = fill("page.quiz-score", score); };
  const questions = [askWindow(lesson)];
  if (data.whole) questions.unshift(askLeaves());
  dialog.append(html("h2", {}, text("page.quiz")), ...questions.filter(Boolean).map((ask) => ask(showTally)), tally, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  showTally();
  dialog.showModal();
  for (const view of dialog.querySelectorAll(".tree")) view.fit();
}

/** An answer in words, counted. */
function answer(holder, isRight, solution, done) {
  score.asked += 1;
  score.right += isRight ? 1 : 0;
  holder.className = "answer " + (isRight ? "right" : "wrong");
  holder.textContent = text(isRight ? "page.right" : "page.wrong").replace("{answer}", solution);
  done();
}

/** The whole tree with its leaves as buttons: which are not evaluated? */
function askLeaves() {
  return (done) => {
    const nodes = data.whole.map(([parent, name, side, value, isLooked], node) =>
      ({ parent, name, side, value, isLooked, node, children: [] }));
    nodes.forEach((node) => node.node && nodes[node.parent].children.push(node));
    const picked = new Set();
    const holder = html("div", { class: "tree" });
    const view = new View(holder, text("page.quiz-leaves"));
    const layout = layOut(nodes[0], (node) => ({ width: 46, children: node.children, stubs: [] }));
    for (const [node, place] of layout.places) {
      if (node.node) {
        const parent = layout.places.get(nodes[node.parent]);
        view.layer.prepend(drawEdge(parent, place.x, place.y - BOX.height / 2, ""));
      }
      view.layer.append(drawQuizNode(node, place, picked, view));
    }
    holder.fit = () => view.fit(layout.width, layout.height);
    const reply = html("p", { class: "answer", "aria-live": "polite" });
    const check = () => {
      const cut = nodes.filter((node) => node.value !== null && !node.isLooked);
      const isRight = cut.length === picked.size && cut.every((node) => picked.has(node));
      const solution = cut.map((node) => pathName(nodes, node)).join(", ") || text("none");
      answer(reply, isRight, solution, done);
    };
    const button = html("button", { type: "button", onclick: check, class: "check-leaves" }, text("page.check"));
    return html("section", {}, html("p", {}, text("page.quiz-leaves")), holder, button, reply);
  };
}

function pathName(nodes, node) {
  const names = [];
  for (let on = node; on.node; on = nodes[on.parent]) names.unshift(on.name);
  return names.join("-");
}

function drawQuizNode(node, place, picked, view) {
  const isLeaf = node.value !== null;
  const look = `node done ${node.side ? "min" : "max"}${isLeaf ? " leaf-button" : ""}`;
  const group = svg("g", { class: look, transform: `translate(${place.x} ${place.y})` }, drawBox(place, node.side));
  group.append(drawText(node.node ? node.name : text("drawing.root"), 0, -BOX.height / 2 - 6, "name"));
  group.append(drawText(node.value ?? "", 0, 5, "label"));
  if (!isLeaf) return group;
  const attributes = { role: "checkbox", tabindex: 0, "aria-checked": "false", "aria-label": `${node.name}: ${node.value}` };
  for (const [key, value] of Object.entries(attributes)) group.setAttribute(key, value);
  const toggle = () => {
    if (view.isMoved) return;
    if (!picked.delete(node)) picked.add(node);
    group.classList.toggle("picked", picked.has(node));
    group.setAttribute("aria-checked", String(picked.has(node)));
  };
  group.addEventListener("click", toggle);
  group.addEventListener("keydown", (event) => {
    if (event.key === " " || event.key === "Enter") { event.preventDefault(); toggle(); }
  });
  return group;
}

/** A step at which a window becomes narrower: what is it then? */
function askWindow(lesson) {
  const { replay } = lesson.panels[0];
  const steps = replay.steps.map((step, i) => [step, i]).filter(([step]) => step[1] === "narrow");
  if (!steps.length) return null;
  const [[node, , [alpha, beta]], at] = steps[Math.floor(Math.random() * steps.length)];
  return (done) => {
    lesson.go(at);
    const field = (name) => html("input", { type: "text", size: 6, "aria-label": name, class: "bound" });
    const [low, high] = [field("α"), field("β")];
    const reply = html("p", { class: "answer", "aria-live": "polite" });
    const same = (typed, value) => plain(typed) === plain(replay.label(value));
    const check = () => answer(reply, same(low.value, alpha) && same(high.value, beta),
      `α = ${replay.label(alpha)}, β = ${replay.label(beta)}`, done);
    const button = html("button", { type: "button", onclick: check, class: "check-window" }, text("page.check"));
    const name = replay.path(node).map((on) => replay.name(on)).join(" → ");
    return html("section", {}, html("p", {}, replay.sentence()), html("p", {}, fill("page.quiz-window", { node: name })),
      html("p", {}, "α = ", low, " β = ", high, " ", button), reply);
  };
}

/** What was typed, so that - and −, inf and ∞ are the same. */
function plain(typed) {
  return typed.trim().replace(/^\+/, "").replace(/−/g, "-").replace(/inf(inity|inito)?/i, "∞").replace(",", ".");
}
