// What one nginx compiles the next one loads, unless somebody else may have had a hand in it.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { checkConf } from "../../../harness/nginx.ts"
import { type FilterName, filter } from "./support/filters.ts"

let dir: string
let compiled: string
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "wick-compiled-")), "cache")
  compiled = join(dir, "m.cwasm")
  return () => rmSync(dirname(dir), { recursive: true })
})

/** An nginx that reads its configuration, as one that starts does. */
async function readsConf(name: FilterName = "probe", inWasm = ""): Promise<string> {
  const wasm = await filter(name)
  const { ok, output } = await checkConf((site) => ({
    main: `load_module ${site.modules}/ngx_http_wasm_module.so; wasm { module m ${wasm}; compilation_cache ${dir}; ${inWasm} }`,
    http: "proxy_wasm m;",
  }))
  expect(ok, output).toBe(true)
  return output
}

/** A file that is written anew is another one. */
const file = () => statSync(compiled).ino

test("the first one compiles, the next ones load", async () => {
  await readsConf()
  const first = file()
  expect(statSync(dir).mode & 0o777).toBe(0o700)
  expect(statSync(compiled).mode & 0o777).toBe(0o600)
  await readsConf()
  expect(file()).toBe(first)
})

test.each([
  ["another filter of the same name", "rotate", ""],
  ["other settings of the engine", "probe", "callback_deadline 0;"],
] as const)("%s is compiled anew", async (_, name, inWasm) => {
  await readsConf()
  const first = file()
  await readsConf(name, inWasm)
  const second = file()
  expect(second).not.toBe(first)
  await readsConf(name, inWasm)
  expect(file()).toBe(second)
})

describe("a file is not used", () => {
  /** An nginx comes that has to replace the file, and one that finds nothing wrong with the new one. */
  async function isReplaced(spoil: () => void): Promise<void> {
    await readsConf()
    spoil()
    const spoiled = file()
    await readsConf()
    const mended = file()
    expect(mended).not.toBe(spoiled)
    await readsConf()
    expect(file()).toBe(mended)
  }

  test("that others may write", () => isReplaced(() => chmodSync(compiled, 0o620)))

  test.runIf(process.getuid?.() === 0)("that is somebody else's", () =>
    isReplaced(() => chownSync(compiled, 65_534, 65_534)),
  )

  test("that is a link", () =>
    isReplaced(() => {
      const elsewhere = join(dirname(dir), "elsewhere")
      writeFileSync(elsewhere, readFileSync(compiled), { mode: 0o600 })
      rmSync(compiled)
      symlinkSync(elsewhere, compiled)
    }))

  test.each([
    ["empty", () => Buffer.alloc(0)],
    ["cut", (whole: Buffer) => whole.subarray(0, whole.length - 4096)],
    [
      "of another time",
      (whole: Buffer) => Buffer.concat([Buffer.from("wick compiled 0\n"), whole.subarray(16)]),
    ],
    ["full of zeros at its end", (whole: Buffer) => Buffer.from(whole).fill(0, whole.length - 4096)],
    [
      "that has one other bit",
      (whole: Buffer) =>
        Buffer.from(whole).fill((whole.at(-100_000) ?? 0) ^ 1, whole.length - 100_000, whole.length - 99_999),
    ],
  ])("that is %s", (_, spoilt) => isReplaced(() => writeFileSync(compiled, spoilt(readFileSync(compiled)))))
})

test("a directory that others may write gets nothing, and the log says so", async () => {
  mkdirSync(dir)
  chmodSync(dir, 0o777)
  const output = await readsConf()
  expect(output).toMatch(/\[warn\].*Cannot keep filter "m" as it was compiled: .*may write to it/)
  expect(() => statSync(compiled)).toThrow("ENOENT")
})

test("a directory that cannot be made is no reason not to start", async () => {
  writeFileSync(dir, "")
  expect(await readsConf()).toMatch(/\[warn\].*Cannot keep filter "m" as it was compiled/)
})
