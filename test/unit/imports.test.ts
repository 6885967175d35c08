// Who may import whom. Dependencies point one way, from the process towards the vocabulary, so that each part can be read,
// tested and replaced knowing only what stands before it here.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { importsOf, partOf, sources, textOf } from "../support/imports.ts"
import { root } from "../support/paths.ts"

/** Part → the parts it may import; everyone may import `support` and itself. `type:` allows `import type` only. */
const allowed: Readonly<Record<string, readonly string[] | "all">> = {
  support: [],
  model: [],
  queue: [],
  observe: ["model"],
  objects: ["model"],
  options: ["objects", "model"],
  // where objects come from, and where what is told about them goes: what `manifests` and `cluster` offer
  provider: ["type:objects", "type:model"],
  events: ["objects", "type:model", "type:provider", "type:store"],
  manifests: ["objects", "model", "provider", "type:observe"],
  cluster: ["objects", "model", "provider", "type:observe", "type:options"],
  x509: [],
  aia: ["secrets", "x509", "type:model", "type:names"],
  ocsp: ["model", "x509", "aia", "type:store"],
  names: ["type:store"],
  secrets: ["objects", "model"],
  store: ["objects", "model", "type:options", "type:provider", "type:secrets"],
  status: ["objects", "model", "queue", "type:options", "type:provider", "type:store", "type:observe"],
  annotations: ["objects", "options", "model"],
  translate: ["objects", "options", "model", "annotations", "type:store", "type:secrets"],
  plan: ["model"],
  render: ["model"],
  nginx: ["model", "plan", "type:render", "x509"],
  commands: ["nginx", "model"],
  sync: "all",
  run: "all",
  main: "all",
}

/** Outside library → the parts that may import it. Others get what they need as an argument. */
const owners: Readonly<Record<string, readonly string[]>> = {
  "@kubernetes/client-node": ["cluster"],
  asn1js: ["x509"],
  chokidar: ["manifests"],
  yaml: ["manifests", "cluster"],
  liquidjs: ["render"],
  pino: ["observe"],
  "pino-pretty": ["observe"],
  pkijs: ["x509"],
  "prom-client": ["observe"],
  "node:child_process": ["nginx"],
  "node:dns": ["names"],
  "node:fs": ["manifests", "cluster", "names", "nginx", "render", "observe", "run", "main"],
  "node:http": ["aia", "cluster", "nginx", "observe"],
  "node:https": ["cluster", "nginx"],
  "node:net": [
    "aia",
    "cluster",
    "nginx",
    "render",
    "objects",
    "translate",
    "options",
    "annotations",
    "names",
    "status",
    "support",
  ],
  "node:process": ["main"],
}

/** Libraries of Node that only compute. */
const pure = new Set([
  "node:assert",
  "node:buffer",
  "node:crypto",
  "node:path",
  "node:string_decoder",
  "node:tls", // contexts only: whether OpenSSL takes a certificate
  "node:timers",
  "node:url",
  "node:util",
])
/** Libraries of Node that have effects but belong to no part. */
const common = new Set(["node:events", "node:os", "node:perf_hooks"])

const all = sources().flatMap(importsOf)
const printed = (found: typeof all) => found.map(({ from, to }) => `${from} imports ${to}`)

describe("in controller/", () => {
  test("the imports are found at all", () => {
    expect(all.length).toBeGreaterThan(sources().length)
  })

  test("every part has its place in this list", () => {
    expect(
      sources()
        .map(partOf)
        .filter((part) => !(part in allowed)),
    ).toEqual([])
  })

  test("parts import only what stands before them", () => {
    const wrong = all.filter(
      ({ from, to, isOutside, isType }) => !isOutside && !mayImport(partOf(from), partOf(to), isType),
    )
    expect(printed(wrong)).toEqual([])
  })

  test("an outside library has one owner", () => {
    const wrong = all.filter(({ from, to, isOutside }) => isOutside && !mayUse(partOf(from), to))
    expect(printed(wrong)).toEqual([])
  })

  test("only nginx/ writes files", () => {
    const writes =
      /\b(appendFile|chmod|chown|copyFile|createWriteStream|link|mkdir|mkdtemp|rename|rm|rmdir|symlink|unlink|writeFile)(Sync)?\b/
    const wrong = sources().filter(
      (source) => partOf(source) !== "nginx" && writes.test(importedFromFs(textOf(source))),
    )
    expect(wrong).toEqual([])
  })

  test("nothing but main.ts reads or changes the process", () => {
    const touches = /(?<![\w./"])process\.(argv|chdir|env|exit|exitCode|on|once|stdin|umask)\b/
    const wrong = sources().filter(
      (source) => source !== "main.ts" && touches.test(withoutComments(textOf(source))),
    )
    expect(wrong).toEqual([])
  })
})

test("every dependency of package.json is imported by its owner", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>
  }
  const used = new Set(all.map(({ to }) => to))
  expect(Object.keys(dependencies).filter((name) => !(name in owners) || !used.has(name))).toEqual([])
})

function mayImport(from: string, to: string, isType: boolean): boolean {
  const list = allowed[from] ?? []
  if (from === to || to === "support" || list === "all") return true
  return list.includes(to) || (isType && list.includes(`type:${to}`))
}

function mayUse(part: string, library: string): boolean {
  return pure.has(library) || common.has(library) || (owners[library]?.includes(part) ?? false)
}

/** The names a source imports from node:fs. */
function importedFromFs(text: string): string {
  return [...text.matchAll(/^import \{([^}]*)\} from "node:fs(?:\/promises)?"/gm)]
    .map(([, names]) => names)
    .join()
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*/g, "")
}
