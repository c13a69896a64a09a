// Tests the page in Chromium, over its pipe for debugging: every link, wrong input, the keyboard, two widths.
//
//     node site/test.mjs [FOLDER OF MODULES] [--screenshots FOLDER]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const page = fileURLToPath(new URL("page", import.meta.url));
const option = process.argv.indexOf("--screenshots");
const screenshots = option > 0 ? process.argv[option + 1] : null;
const modules = process.argv[2]?.startsWith("--") ? page : (process.argv[2] ?? page);
const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm" };

// What the server has sent, in bytes as Brotli compresses it.
const sent = new Map();
const server = createServer(async ({ url }, response) => {
  const name = url === "/" ? "index.html" : url.slice(1);
  try {
    const content = await readFile(join(name.endsWith(".wasm") ? modules : page, name));
    sent.set(name, gzipSync(content).length);
    response.writeHead(200, { "content-type": types[extname(name)] }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const names = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const program = names.find((name) => name && existsSync(name));
assert(program, "no Chromium: CHROMIUM names its program");
const profile = await mkdtemp(join(tmpdir(), "chromium-"));
const browser = spawn(
  program,
  ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
);
let number = 0;
const waiting = new Map();
const mistakes = [];
let received = "";
browser.stdio[4].setEncoding("utf8").on("data", (text) => {
  const messages = (received + text).split("\0");
  received = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) {
    if (message.id) {
      const { resolve, reject } = waiting.get(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    } else if (message.method === "Runtime.exceptionThrown") {
      mistakes.push(message.params.exceptionDetails.exception?.description ?? "an exception");
    } else if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
      mistakes.push(`${message.params.entry.text} ${message.params.entry.url}`);
    }
  }
});
let sessionId;
function command(method, params = {}) {
  number += 1;
  browser.stdio[3].write(`${JSON.stringify({ id: number, method, params, sessionId })}\0`);
  const id = number;
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}
async function evaluate(expression) {
  const result = await command("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (result.exceptionDetails) throw new Error(result.exceptionDetails.exception.description);
  return result.result.value;
}
async function until(expression) {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await evaluate(expression)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never: ${expression}`);
}
async function key(name, text) {
  const event = { key: name, code: name === " " ? "Space" : name, text, windowsVirtualKeyCode: { Tab: 9, Enter: 13 }[name] };
  await command("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...event });
  await command("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}
async function open(hash = "") {
  await command("Page.navigate", { url: "about:blank" });
  await command("Page.navigate", { url: address + hash });
  await until("document.documentElement?.dataset.ready !== undefined");
}
async function type(text) {
  await evaluate("document.getElementById('shapes').focus(), document.getElementById('shapes').select()");
  await command("Input.insertText", { text });
}
async function size(width, height, dark = false) {
  await command("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
  const value = dark ? "dark" : "light";
  await command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
}
async function screenshot(name) {
  if (screenshots === null) return;
  await mkdir(screenshots, { recursive: true });
  const { data } = await command("Page.captureScreenshot", { captureBeyondViewport: true });
  await writeFile(join(screenshots, `${name}.png`), Buffer.from(data, "base64"));
}
const text = (id) => evaluate(`document.getElementById("${id}").innerText`);
const isHidden = (id) => evaluate(`document.getElementById("${id}").hidden`);

const tests = {
  async "every link fills the field, and is right about the result"() {
    await open();
    const links = await evaluate(
      `[...document.querySelectorAll("a[href^='#('], a[href*='=(']")].map((a) => [a.hash, a.textContent.includes("✗")])`,
    );
    assert(links.length > 70, `${links.length} links`);
    for (const [hash, isRefused] of links) {
      await evaluate(`document.querySelector(${JSON.stringify(`a[href="${hash}"]`)}).click()`);
      assert.equal(await evaluate("decodeURIComponent(location.hash)"), decodeURIComponent(hash));
      const field = await evaluate("document.getElementById('shapes').value");
      assert.equal(field.replaceAll(" ", ""), decodeURIComponent(hash).slice(1));
      assert.equal((await text("verdict")).startsWith("✗"), isRefused, hash);
      assert.equal(await evaluate("document.activeElement.id"), "result");
      const rows = await evaluate("document.querySelectorAll('#axes tbody tr').length");
      assert.equal(rows, field.split(" + ").length + 1, hash);
      assert.equal(await evaluate("document.querySelectorAll('#digraph svg > title').length"), 1);
      const pictured = await evaluate("document.querySelectorAll('#picture svg > desc').length");
      assert.equal(pictured === 1, (await text("too-large")) === "", hash);
    }
  },
  async "the address holds the state"() {
    await open("#rows=(4,3)+(4,)");
    assert.equal(await evaluate("document.getElementById('shapes').value"), "rows = (4, 3) + (4,)");
    assert.match(await text("verdict"), /^✗ ?No result. Axis 1, the last, fails: rows has 3 and b has 4/);
    assert.match(await text("message"), /cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`/);
    assert.match(await text("repairs"), /b.unsqueeze::<-1>\(\) makes it \[4, 1\]/);
    assert.match(await text("corrected"), /&rows \+ &b.unsqueeze::<-1>\(\)/);
    await evaluate("document.querySelector('#repairs a').click()");
    assert.match(await text("verdict"), /\[4, 3\]/);
    assert.equal(await isHidden("compiler"), true);
    await evaluate("history.back()");
    await until("document.getElementById('verdict').innerText.includes('No result')");
    await type("shape![Batch, 1, 3] shape![4, 1]");
    assert.equal(await evaluate("location.hash"), "#(Batch,1,3)+(4,1)");
    assert.match(await text("notes"), /known only at run time/);
    await open(await evaluate("location.hash"));
    assert.match(await text("verdict"), /\[Batch, 4, 3\]/);
  },
  async "wrong input is marked where it is wrong"() {
    await open();
    for (const [wrong, message, position] of [
      ["(4, 3) (3, -1)", "a size is not negative", 11],
      ["", "there is no shape", 0],
      ["(4, 3)", "there is one shape", 6],
      ["(4, 3) (x", "expected a size", 8],
      ["<img src=x onerror=alert(1)> (3)", "expected a size", 0],
      ["(4, 3) 😀", "expected a size", 7],
      ["%", "expected a size", 0],
    ]) {
      await type(wrong);
      if (wrong === "") await key("Delete"), await evaluate("shapes.value = '', shapes.dispatchEvent(new Event('input'))");
      assert((await text("mistake")).startsWith(message), `${wrong}: ${await text("mistake")}`);
      const marked = await evaluate("document.querySelector('#mistake code').textContent.split('\\n')[1].indexOf('▲')");
      assert.equal(marked, position, wrong);
      assert.equal(await isHidden("answer"), true);
      assert.equal(await evaluate("document.getElementById('shapes').getAttribute('aria-invalid')"), "true");
      const hash = await evaluate("location.hash");
      await open(hash);
      if (wrong !== "") assert.equal(await evaluate("document.getElementById('shapes').value"), wrong);
    }
    await type("(4, 3) (3)");
    assert.equal(await isHidden("mistake"), true);
  },
  async "programs of each library, by keyboard"() {
    await open("#(4,3)+(4,)");
    await evaluate("document.querySelector('#libraries input').focus()");
    for (const [title, line] of [["NumPy", "np.ones((4, 3))"], ["PyTorch", "torch.ones((4, 3))"], ["JAX", "jnp.ones((4, 3))"]]) {
      await key("ArrowDown");
      assert.equal(await evaluate("document.querySelector('#libraries :checked').value"), title);
      assert((await text("program")).includes(line), title);
      assert((await text("corrected")).includes("# (4, 1)"), title);
    }
  },
  async "everything is reached by Tab, and Enter goes to the result"() {
    await open("#(4,3)+(3,)");
    await evaluate("document.getElementById('shapes').focus()");
    await key("Enter", "\r");
    assert.equal(await evaluate("document.activeElement.id"), "result");
    await evaluate("document.activeElement.blur(), scrollTo(0, 0), document.getElementById('skip').focus()");
    const reached = new Set();
    for (let at = 0; at < 90; at += 1) {
      reached.add(await evaluate("document.activeElement.id || document.activeElement.tagName"));
      await key("Tab");
    }
    for (const id of ["skip", "shapes", "picture", "digraph", "program", "paper", "undo", "clear"]) {
      assert(reached.has(id), `${id} of ${[...reached]}`);
    }
  },
  async "everything that is seen has words"() {
    await open("#(4,3)+(3,)");
    const title = await evaluate("document.querySelector('#picture svg > title').textContent");
    assert.equal(title, "a [4, 3] + b [3] = [4, 3]");
    assert.match(
      await evaluate("document.querySelector('#picture svg > desc').textContent"),
      /axis 0: b lacks it: it counts as 1 and stretches to 4/,
    );
    const { nodes } = await command("Accessibility.getFullAXTree");
    const roles = new Set(["textbox", "button", "link", "image", "radio", "table", "region", "application", "Canvas"]);
    const unnamed = nodes.filter(({ ignored, role, name }) => !ignored && roles.has(role?.value) && !name?.value);
    assert.deepEqual(unnamed.map(({ role }) => role.value), []);
  },
  async "nothing is wider than the page"() {
    for (const [width, height] of [[1280, 900], [360, 740]]) {
      await size(width, height);
      for (const hash of ["#(4,3)+(3,)", "#(8,1,6,1)+(7,1,5)", "#(4,3)+(4,)", "#(8,1,6,1)+(7,1,5)+(8,7,6,5)", "#(2,1,3)+(4,1)"]) {
        await open(hash);
        const wide = await evaluate("document.documentElement.scrollWidth");
        assert(wide <= width, `${hash}: ${wide} of ${width}`);
        await screenshot(`${width}-${hash.replaceAll(/[^0-9]/g, "")}`);
      }
      await size(width, height, true);
      await screenshot(`${width}-dark`);
    }
    await size(1280, 900);
  },
  async "a digit is read as it is drawn, by mouse and by keyboard"() {
    await open();
    await evaluate("document.getElementById('digit').scrollIntoView({ behavior: 'instant' })");
    await until("document.getElementById('digit').dataset.ready !== undefined");
    const box = await evaluate("(({ x, y, width }) => ({ x, y, width }))(document.getElementById('paper').getBoundingClientRect())");
    const at = async (type, x, y) => {
      const place = { x: box.x + x * box.width, y: box.y + y * box.width };
      await command("Input.dispatchMouseEvent", { type, ...place, button: "left", buttons: 1, clickCount: 1 });
    };
    const strokes = [[[0.28, 0.16], [0.7, 0.16], [0.46, 0.86]], [[0.36, 0.5], [0.66, 0.5]]];
    for (const [first, ...rest] of strokes) {
      await at("mousePressed", ...first);
      for (const place of rest) await at("mouseMoved", ...place);
      await at("mouseReleased", ...rest.at(-1));
    }
    assert.equal(await text("read"), "This is a 7.");
    await screenshot("digit");
    await size(1280, 900, true);
    await screenshot("digit-dark");
    await size(1280, 900);
    await evaluate("document.getElementById('undo').click(), document.getElementById('undo').click()");
    assert.equal(await text("read"), "Nothing is drawn yet.");
    // A 4, with the arrow keys.
    await evaluate("document.getElementById('paper').focus()");
    const press = async (name, times) => {
      for (let time = 0; time < times; time += 1) await key(name);
    };
    await press("ArrowUp", 10);
    await press(" ", 1);
    for (let step = 0; step < 7; step += 1) await press("ArrowDown", 2), await press("ArrowLeft", 1);
    await press("ArrowRight", 12);
    await press(" ", 1);
    await press("ArrowUp", 6);
    await press("ArrowLeft", 4);
    await press(" ", 1);
    await press("ArrowDown", 16);
    assert.equal(await text("read"), "This is a 4.");
    await press("Delete", 1);
    assert.equal(await text("read"), "Nothing is drawn yet.");
    const times = await evaluate(`(async () => {
      const call = await (await import("./module.js")).load("digit.wasm");
      const drawing = new Uint8Array(new Float32Array([0.3, 0.2, 0.7, 0.2, 0.5, 0.8]).buffer);
      call("classify", drawing);
      const start = performance.now();
      for (let time = 0; time < 100; time += 1) call("classify", drawing);
      return (performance.now() - start) / 100;
    })()`);
    console.log(`a digit is read in ${times.toFixed(2)} ms`);
  },
  async "the modules of the page are those of the source"() {
    if (modules === page) return console.log("no other folder of modules was given");
    const load = async (folder, name) => {
      const { instance } = await WebAssembly.instantiate(await readFile(join(folder, `${name}.wasm`)), {});
      const { memory, argument, result, ...functions } = instance.exports;
      return (name, bytes) => {
        const start = argument(bytes.length);
        new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
        const length = functions[name]();
        return new Uint8Array(memory.buffer, result(), length).slice();
      };
    };
    const [kept, built] = await Promise.all([page, modules].map((folder) => load(folder, "explain")));
    const links = (await readFile(join(page, "index.html"), "utf8")).matchAll(/href="#([^"]+)"/g);
    for (const shapes of [...[...links].map(([, shapes]) => shapes), "", "(4, 3) (x", "(Batch, 3) (4, 3)"]) {
      const bytes = new TextEncoder().encode(shapes);
      const answers = [kept, built].map((call) => new TextDecoder().decode(call("explain", bytes)));
      assert.equal(answers[0], answers[1], "run site/build");
    }
    const digits = await Promise.all([page, modules].map((folder) => load(folder, "digit")));
    const drawing = new Uint8Array(new Float32Array([0.3, 0.2, 0.7, 0.2, 0.5, 0.8]).buffer);
    const [a, b] = digits.map((call) => new Float32Array(call("classify", drawing).buffer));
    assert.equal(a.length, 74);
    assert(a.every((value, at) => Math.abs(value - b[at]) < 1e-5), "run site/build");
  },
  async "the page is small"() {
    const total = [...sent.values()].reduce((sum, size) => sum + size, 0);
    console.log(`${total} bytes by gzip:`, Object.fromEntries(sent));
    assert(total <= 300_000, `${total} bytes`);
  },
};

let failed = 0;
try {
  const { targetInfos } = await command("Target.getTargets");
  const { targetId } = targetInfos.find(({ type }) => type === "page");
  ({ sessionId } = await command("Target.attachToTarget", { targetId, flatten: true }));
  for (const domain of ["Page", "Runtime", "Log", "Accessibility"]) await command(`${domain}.enable`);
  await size(1280, 900);
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      assert.deepEqual(mistakes.splice(0), []);
      console.log(`${name}: ok`);
    } catch (error) {
      failed += 1;
      console.log(`${name}: ${error.stack}`);
    }
  }
} finally {
  browser.kill();
  server.close();
  await new Promise((resolve) => browser.once("exit", resolve));
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`site: ${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
