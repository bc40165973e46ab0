// A page with one lesson inside.
globalThis.lesson = new Lesson(JSON.parse(document.getElementById("data").textContent), document.getElementById("app"));
