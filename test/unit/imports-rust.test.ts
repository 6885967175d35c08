// Who may use whom in nginx/: crates as listed here, and within a crate no files that use each other.
import { describe, expect, test } from "vitest"
import { circles } from "../support/imports.ts"
import { type Arrow, arrowsOf, crates, dependenciesOf, sourcesOf } from "../support/rust-modules.ts"

/** Crate → what it may depend on: crates of ours before it here, and libraries. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  kv: [],
  abi: ["wick-wire"],
  hosts: [],
  tls: ["wick-wire"],
  access: ["wick-tls", "wick-wire", "siphasher"],
  geo: ["maxminddb", "serde"],
  limits: ["wick-wire", "siphasher"],
  digest: ["md-5", "sha2", "siphasher"],
  passwords: ["wick-wire", "argon2", "siphasher"],
  "log-lines": [],
  metrics: ["itoa", "siphasher"],
  tracing: [],
  script: ["wick-wire"],
  routes: ["wick-access", "wick-limits", "wick-script", "wick-tls", "wick-wire"],
  streams: ["wick-tls", "wick-wire"],
  guest: ["wick-abi", "libc", "wasmtime"],
  // Three of them for their features alone: nginx/policy/Cargo.toml.
  confined: ["libc"],
  policy: [
    "wick-abi",
    "wick-confined",
    "wick-guest",
    "arbitrary",
    "libc",
    "memchr",
    "sha2",
    "wasm-encoder",
    "wasmparser",
    "wasmtime",
  ],
  waf: ["wick-confined", "libc", "serde_json", "sha2"],
  native: ["wick-kv", "libc", "nginx-sys", "ngx"],
  wasm: [
    "wick-abi",
    "wick-guest",
    "wick-kv",
    "wick-native",
    "wick-policy",
    "dlmalloc",
    "libc",
    "ngx",
    "wasmtime",
  ],
  ingress: [
    "wick-abi",
    "wick-access",
    "wick-digest",
    "wick-geo",
    "wick-hosts",
    "wick-kv",
    "wick-limits",
    "wick-log-lines",
    "wick-metrics",
    "wick-native",
    "wick-passwords",
    "wick-routes",
    "wick-script",
    "wick-streams",
    "wick-tls",
    "wick-tracing",
    "wick-waf",
    "itoa",
    "landlock",
    "libc",
    "ngx",
    "rand",
  ],
}

/**
 * The files and folders of nginx/wasm, from the bottom to the top: each uses what stands before it. A file in a folder stands where its own
 * path does, else where the folder does. What is generic ends with `directives`: it knows neither HTTP nor `stream`.
 */
const orderOfWasm = [
  ["module", "clock", "cache", "fault", "measure", "subject"],
  ["counters", "policy/counters"],
  ["conf"],
  ["environment/zone_slots"],
  ["policy"],
  ["environment"],
  ["attempts"],
  ["host"],
  ["exports", "zones"],
  ["vm"],
  ["instance"],
  ["worker"],
  ["contexts"],
  ["upstream"],
  ["directives"],
  ["http", "stream"],
  ["runtime"],
  ["lib"],
] as const

/** Where a file stands in the order, and as a part of what. */
function placeOf(file: string): { readonly part: string; readonly level: number } {
  const path = file.replace(/\.rs$/, "")
  const found = orderOfWasm
    .flatMap((parts, level) => parts.map((part) => ({ part, level })))
    .filter(({ part }) => path === part || path.startsWith(`${part}/`))
    .sort((a, b) => b.part.length - a.part.length)[0]
  if (found === undefined) throw new Error(`nginx/wasm/src/${file} has no place in the order`)
  return found
}

const circlesIn = (files: Readonly<Record<string, string>>) =>
  circles(arrowsOf(new Map(Object.entries(files))))

test("every crate depends on what this list allows, and on all of it", () => {
  const found = crates().map((crate) => [crate, dependenciesOf(crate).sort()])
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(allowed).map(([crate, names]) => [crate, [...names].sort()])),
  )
})

describe.each(crates())("in nginx/%s", (crate) => {
  const arrows = arrowsOf(sourcesOf(crate))

  test("the uses are found at all", () => {
    expect(arrows.length).toBeGreaterThanOrEqual(sourcesOf(crate).size / 2)
  })

  test("no files use each other in a circle", () => {
    const sentence = (files: readonly string[]) =>
      `These files use each other in a circle: ${files.join(", ")}`
    expect(circles(arrows).map(sentence)).toEqual([])
  })

  test("nobody uses lib.rs, where everything is put together", () => {
    const users = arrows.filter(({ from, to }) => to === "lib.rs" && !from.startsWith("tests"))
    expect(users.map(({ from }) => `${from} uses lib.rs`)).toEqual([])
  })
})

test("in nginx/wasm nobody uses what stands above it, and neither HTTP nor stream the other", () => {
  const isUp = ({ from, to }: Arrow) => {
    const [user, used] = [placeOf(from), placeOf(to)]
    return used.level > user.level || (used.level === user.level && used.part !== user.part)
  }
  const up = arrowsOf(sourcesOf("wasm")).filter(isUp)
  expect(up.map(({ from, to }) => `${from} uses ${to}`)).toEqual([])
})

test("nothing of HTTP or stream below them names nginx's upstreams", () => {
  const firstOfKind = orderOfWasm.findIndex((parts) => (parts as readonly string[]).includes("http"))
  const naming = [...sourcesOf("wasm")]
    .filter(([file]) => placeOf(file).level < firstOfKind)
    .filter(([, text]) => /ngx_(?:http|stream)_upstream/.test(text))
  expect(naming.map(([file]) => file)).toEqual([])
})

describe("a circle is found", () => {
  test("between files that name each other in `use`", () => {
    const files = {
      "lib.rs": "mod a;\nmod b;",
      "a.rs": "use crate::b::B;",
      "b.rs": "use super::a::{self, A};",
    }
    expect(circlesIn(files)).toEqual([["a.rs", "b.rs"]])
  })

  test("between a file and a module of its own", () => {
    const files = { "a.rs": "mod b;\nfn f() { b::g() }", "a/b.rs": "use super::A;" }
    expect(circlesIn(files)).toEqual([["a.rs", "a/b.rs"]])
  })

  test("in paths without `use`, and through the name that a module was brought by", () => {
    const files = {
      "a.rs": "use crate::{b as other};\nfn f() { other::g() }",
      "b.rs": "fn g() -> crate::c::d::D { }",
      "c/d.rs": "type D = super::super::a::A;",
    }
    expect(circlesIn(files)).toEqual([["a.rs", "b.rs", "c/d.rs"]])
  })
})

describe("no circle is", () => {
  test("a module that its parent only declares", () => {
    expect(circlesIn({ "a.rs": "pub mod b;", "a/b.rs": "use super::A;" })).toEqual([])
  })

  test("what comments, texts and tests say", () => {
    const files = {
      "a.rs": "use crate::b;\nconst QUOTE: u8 = b'\"';",
      "b.rs":
        '//! crate::a\nconst X: &str = "crate::a";\n#[cfg(test)]\nmod tests {\n    use crate::a;\n    use super::*;\n}',
    }
    expect(circlesIn(files)).toEqual([])
  })

  test("a module inside of a file that uses the file", () => {
    expect(
      circlesIn({ "a.rs": "mod b;\nmod c {\n    use super::A;\n}", "a/b.rs": "use super::c::C;" }),
    ).toEqual([])
  })

  test("the same name in another crate", () => {
    expect(circlesIn({ "a.rs": "use wick_native::b;\nfn f() { b::g() }", "b.rs": "use crate::a;" })).toEqual(
      [],
    )
  })
})
