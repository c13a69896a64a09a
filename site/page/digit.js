// The paper to draw a digit on, and what the network says of it.
import { load } from "./module.js";

const $ = (id) => document.getElementById(id);
const STEP = 0.04;

export async function start() {
  const call = await load("digit.wasm");
  const paper = $("paper");
  const brush = paper.getContext("2d");
  let strokes = [];
  let isDown = false;
  // The pen of the keyboard.
  const pen = { x: 0.5, y: 0.5, isDown: false, isShown: false };

  const scores = Array.from({ length: 10 }, (_, digit) => {
    const row = document.createElement("li");
    const [name, bar, share] = ["span", "span", "span"].map((tag) => document.createElement(tag));
    name.textContent = digit;
    bar.className = "bar";
    bar.ariaHidden = "true";
    share.className = "share";
    row.append(name, bar, share);
    $("scores").append(row);
    return { row, bar, share };
  });

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name);
  }

  function draw() {
    const size = paper.width;
    brush.clearRect(0, 0, size, size);
    brush.lineWidth = size * 0.065;
    brush.lineCap = brush.lineJoin = "round";
    brush.strokeStyle = colour("--text");
    for (const stroke of strokes) {
      brush.beginPath();
      brush.moveTo(stroke[0].x * size, stroke[0].y * size);
      for (const { x, y } of stroke) brush.lineTo(x * size, y * size);
      brush.stroke();
    }
    if (pen.isShown) {
      brush.lineWidth = 4;
      brush.strokeStyle = colour(pen.isDown ? "--vermillion" : "--link");
      brush.beginPath();
      brush.arc(pen.x * size, pen.y * size, size * 0.045, 0, 2 * Math.PI);
      brush.stroke();
    }
  }

  function drawSeen(pixels) {
    const canvas = $("seen");
    const cells = canvas.getContext("2d");
    const size = canvas.width / 8;
    cells.clearRect(0, 0, canvas.width, canvas.height);
    cells.fillStyle = colour("--text");
    pixels.forEach((ink, at) => {
      cells.globalAlpha = ink / 16;
      cells.fillRect((at % 8) * size, Math.floor(at / 8) * size, size, size);
    });
    cells.globalAlpha = 1;
  }

  function update() {
    draw();
    const points = strokes.flatMap((stroke) => [...stroke.flatMap(({ x, y }) => [x, y]), NaN, NaN]);
    const answer = call("classify", new Uint8Array(new Float32Array(points).buffer));
    const numbers = new Float32Array(answer.buffer);
    const [pixels, shares] = [numbers.slice(0, 64), numbers.slice(64)];
    drawSeen(pixels);
    const isEmpty = strokes.length === 0;
    const best = shares.indexOf(Math.max(...shares));
    scores.forEach(({ row, bar, share }, digit) => {
      const value = isEmpty ? 0 : shares[digit];
      row.classList.toggle("best", !isEmpty && digit === best);
      bar.style.setProperty("--share", `${100 * value}%`);
      share.textContent = isEmpty ? "" : `${(100 * value).toFixed(1)} %`;
    });
    const verb = shares[best] < 0.6 ? "may be" : "is";
    const article = best === 8 ? "an" : "a";
    $("read").textContent = isEmpty ? "Nothing is drawn yet." : `This ${verb} ${article} ${best}.`;
  }

  function place({ clientX, clientY }) {
    const { left, top, width, height } = paper.getBoundingClientRect();
    const within = (share) => Math.min(1, Math.max(0, share));
    return { x: within((clientX - left) / width), y: within((clientY - top) / height) };
  }

  paper.addEventListener("pointerdown", (event) => {
    paper.setPointerCapture(event.pointerId);
    pen.isShown = pen.isDown = false;
    isDown = true;
    strokes.push([place(event)]);
    update();
  });
  paper.addEventListener("pointermove", (event) => {
    if (!isDown) return;
    const events = event.getCoalescedEvents?.() ?? [];
    strokes.at(-1).push(...(events.length > 0 ? events : [event]).map(place));
    update();
  });
  for (const name of ["pointerup", "pointercancel"]) {
    paper.addEventListener(name, () => (isDown = false));
  }

  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  paper.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in moves) {
      const within = (share) => Math.min(0.96, Math.max(0.04, share));
      pen.x = within(pen.x + STEP * moves[event.key][0]);
      pen.y = within(pen.y + STEP * moves[event.key][1]);
      if (pen.isDown) strokes.at(-1).push({ x: pen.x, y: pen.y });
    } else if (event.key === " ") {
      pen.isDown = !pen.isDown;
      if (pen.isDown) strokes.push([{ x: pen.x, y: pen.y }]);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      clear();
    } else {
      return;
    }
    event.preventDefault();
    pen.isShown = true;
    update();
  });
  paper.addEventListener("blur", () => {
    pen.isShown = pen.isDown = false;
    draw();
  });

  function clear() {
    strokes = [];
    pen.isDown = false;
    update();
  }
  $("clear").addEventListener("click", clear);
  $("undo").addEventListener("click", () => {
    strokes.pop();
    pen.isDown = false;
    update();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  update();
  $("digit").dataset.ready = "";
}
