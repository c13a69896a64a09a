// Times of operations on f32 in Node.js, relative to those of the host. The vectors of WebAssembly have 128 bits, those of
// AVX2 256, so that a ratio of 2 is what the widths explain.
//
//     RUSTFLAGS="-C target-feature=+simd128" cargo build --release -p wasm-tests --target wasm32-unknown-unknown
//     cargo build --release -p wasm-tests --example loops
//     node tests/wasm/bench.mjs target/wasm32-unknown-unknown/release/wasm_tests.wasm target/release/examples/loops
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";

const [module, host] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(module), { host: { print() {} } });
const lines = execFileSync(host, { env: { ...process.env, RAYON_NUM_THREADS: "1" } }).toString().trim().split("\n");
console.log("host, ns  wasm, ns  ratio");
for (const [index, line] of lines.entries()) {
  const [native, name] = line.split("\t");
  let [times, best] = [1, Infinity];
  for (let round = 0; round < 30; round += 1) {
    const start = performance.now();
    if (!instance.exports._call(index, times)) throw new Error(`the module has no ${name}`);
    const spent = performance.now() - start;
    if (spent < 10) times *= 2;
    else best = Math.min(best, (spent * 1e6) / times);
  }
  const ratio = (best / Number(native)).toFixed(2);
  console.log(`${native.padStart(8)}  ${best.toFixed(0).padStart(8)}  ${ratio.padStart(5)}  ${name}`);
}
