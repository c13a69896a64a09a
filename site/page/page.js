// Shows what the module says about the shapes in the field; computes nothing about shapes.
import { load } from "./module.js";

const $ = (id) => document.getElementById(id);
const field = $("shapes");
const call = await load("explain.wasm");
let library = 0;

// An element with attributes and children.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A sentence, with code between backticks.
const words = (sentence) =>
  sentence.split("`").map((part, at) => (at % 2 === 1 ? make("code", {}, part) : part));

const explain = (text) =>
  JSON.parse(new TextDecoder().decode(call("explain", new TextEncoder().encode(text))));

function showMistake(text, { position, message }) {
  const line = text.replaceAll(/\s/g, " ");
  $("mistake").replaceChildren(
    message,
    "\n",
    make("code", { "aria-hidden": "true" }, `${line}\n${" ".repeat(position)}▲`),
  );
  $("mistake").hidden = false;
  $("answer").hidden = true;
  field.setAttribute("aria-invalid", "true");
}

// The table of the axes: a row for each shape, and one for the result.
function showAxes({ names, axes }) {
  const head = make("tr", {}, make("td"));
  axes.forEach((_, axis) => head.append(make("th", { scope: "col" }, `axis ${axis}`)));
  const rows = names.map((name, operand) => {
    const row = make("tr", { class: `of-${operand % 6}` }, make("th", { scope: "row" }, name));
    for (const { cells, result } of axes) {
      const { size, role } = cells[operand];
      const fails = result === null && role === "does not fit";
      const shown = make("span", { class: "size" }, size ?? "·");
      if (size === null) shown.setAttribute("aria-hidden", "true");
      row.append(make("td", fails ? { class: "fails" } : {}, shown, make("span", { class: "role" }, role)));
    }
    return row;
  });
  const last = make("tr", {}, make("th", { scope: "row" }, "result"));
  for (const { result } of axes) {
    const shown = make("span", { class: "size" }, result ?? "✗");
    last.append(make("td", result === null ? { class: "fails" } : {}, shown));
  }
  const caption = $("axes").caption;
  $("axes").replaceChildren(caption, make("thead", {}, head), make("tbody", {}, ...rows, last));
}

function showPrograms({ programs }) {
  const { program, corrected } = programs[library];
  $("program").textContent = program;
  $("corrected-part").hidden = corrected === null;
  $("corrected").textContent = corrected ?? "";
}

function show(answer) {
  $("mistake").hidden = true;
  $("answer").hidden = false;
  field.removeAttribute("aria-invalid");
  const accepted = answer.result !== null;
  const mark = make("span", { class: accepted ? "mark" : "mark no", "aria-hidden": "true" }, accepted ? "✓" : "✗");
  const shape = make("strong", {}, accepted ? answer.result : "No result.");
  $("verdict").replaceChildren(mark, shape, ` ${answer.verdict}`);
  showAxes(answer);
  $("sentences").replaceChildren(...answer.sentences.map((sentence) => make("li", {}, sentence)));
  $("rule").textContent = answer.rule;
  $("corrections").hidden = answer.repairs.length === 0;
  $("repairs").replaceChildren(
    ...answer.repairs.map(({ sentence, shapes, address }) =>
      make("li", {}, ...words(sentence), " ", make("a", { href: `#${address}` }, `Show ${shapes}`)),
    ),
  );
  $("notes").replaceChildren(...answer.notes.map((note) => make("li", {}, note)));
  $("picture").hidden = answer.picture === null;
  $("picture").innerHTML = answer.picture ?? "";
  $("too-large").textContent = answer.picture === null ? `No picture: ${answer.too_large}.` : "";
  $("digraph").innerHTML = answer.digraph;
  $("table").textContent = answer.table;
  $("dot").textContent = answer.dot;
  $("compiler").hidden = answer.message === null;
  $("message").textContent = answer.message ?? "";
  showPrograms(answer);
  document.title = `${answer.shapes} · How shapes broadcast`;
}

let answer;

// Explains the text of the field; the address is that of the shapes, or the text itself if it is wrong.
function update() {
  const text = field.value;
  answer = explain(text);
  if (answer.message !== undefined && answer.position !== undefined) {
    showMistake(text, answer);
    return encodeURIComponent(text);
  }
  show(answer);
  return answer.address;
}

// The text of the address, as the module writes it.
function read() {
  const hash = location.hash.slice(1);
  let text = hash;
  try {
    text = decodeURIComponent(hash);
  } catch {
    // A `%` that is no escape: the text is what was typed.
  }
  field.value = text || "(8, 1, 6, 1) + (7, 1, 5)";
  update();
  if (answer.shapes !== undefined) field.value = answer.shapes;
}

field.addEventListener("input", () => history.replaceState(null, "", `#${update()}`));
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  $("result").focus();
});
$("skip").addEventListener("click", (event) => {
  event.preventDefault();
  $("result").focus();
});
addEventListener("hashchange", read);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (link === null || link.id === "skip") return;
  event.preventDefault();
  if (link.hash !== location.hash) history.pushState(null, "", link.hash);
  read();
  $("form").scrollIntoView();
  $("result").focus({ preventScroll: true });
});
addEventListener("popstate", read);
document.addEventListener("click", async ({ target }) => {
  const source = target.dataset?.copies;
  if (source === undefined) return;
  const text = target.textContent;
  try {
    await navigator.clipboard.writeText($(source).textContent);
    target.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren($(source));
    target.textContent = "Selected: copy it";
  }
  setTimeout(() => (target.textContent = text), 1500);
});

read();
answerLibraries();

// A choice of the libraries, in the order of the module.
function answerLibraries() {
  const { programs } = answer.programs ? answer : explain("() ()");
  programs.forEach((program, number) => {
    const input = make("input", { type: "radio", name: "library", value: program.library });
    input.checked = number === library;
    input.addEventListener("change", () => {
      library = number;
      if (answer.programs) showPrograms(answer);
    });
    $("libraries").append(make("label", {}, input, ` ${program.library}`));
  });
}

document.documentElement.dataset.ready = "";
const digit = $("digit");
new IntersectionObserver(async ([entry], observer) => {
  if (!entry.isIntersecting) return;
  observer.disconnect();
  (await import("./digit.js")).start();
}, { rootMargin: "600px" }).observe(digit);
