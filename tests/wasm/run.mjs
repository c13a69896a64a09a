// Runs the checks of the module that the first argument names, each in an instance of its own.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const others = new Set(["start", "memory"]);
const names = WebAssembly.Module.exports(module)
  .filter(({ name, kind }) => kind === "function" && !others.has(name) && !name.startsWith("_"))
  .map(({ name }) => name);
let [passed, failed] = [0, 0];
for (const name of names) {
  let instance;
  const print = (start, length) => {
    const bytes = new Uint8Array(instance.exports.memory.buffer, start, length);
    console.error(new TextDecoder().decode(bytes));
  };
  instance = await WebAssembly.instantiate(module, { host: { print } });
  instance.exports.start();
  try {
    instance.exports[name]();
    passed += 1;
    console.log(`${name}: ok`);
  } catch (error) {
    failed += 1;
    console.log(`${name}: ${error}`);
  }
}
if (names.length === 0) {
  console.log("the module has no checks");
  failed = 1;
}
console.log(`wasm: ${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
