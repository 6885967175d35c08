// Who may import whom. Dependencies point one way, from the process towards the vocabulary, so that each part can be read,
// tested and replaced knowing only what stands before it here.
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { circles, type Import, importsOf, partOf, sources, textOf } from "../support/imports.ts"

/** The folders from the top down: nobody imports from above. Nothing but main.ts, which chooses, imports of cli/. */
const order = [
  "main",
  "cli",
  "run",
  "sync",
  "ui",
  "admission",
  "inspect",
  "output",
  "report",
  "core",
  "facts",
  "input",
  "model",
  "support",
]

/** Part → the parts it may import; everyone may import `support` and itself. `type:` allows `import type` only. */
const allowed: Readonly<Record<string, readonly string[] | "all">> = {
  support: [],
  model: [],
  // where objects come from, and where what is told about them goes: what `manifests` and `cluster` offer
  "input/provider": ["type:model"],
  "input/manifests": ["model", "input/provider"],
  "input/policies": ["model", "input/manifests"],
  "input/geoip": ["type:model"],
  "input/cluster": ["model", "input/provider"],
  "input/store": ["model", "type:input/provider"],
  "facts/x509": [],
  "facts/names": ["facts", "type:model"],
  "facts/secrets": ["model"],
  "facts/fetch": ["type:facts/names"],
  "facts/issuers": ["facts", "facts/fetch", "facts/secrets", "facts/x509", "type:model"],
  "facts/ocsp": ["facts", "facts/fetch", "facts/x509", "model"],
  "facts/policies": ["facts", "model", "input/policies"],
  "facts/geoip": ["type:model"],
  "facts/rule-sets": ["facts", "model"],
  facts: [],
  "core/snippets": ["core/modsecurity", "model"],
  "core/modsecurity": ["model"],
  "core/options": ["core/modsecurity", "core/snippets", "model"],
  "core/annotations": ["core/options", "core/snippets", "model"],
  // what a family of objects says, in words that no family owns; families and the assembler know these words, and not each other
  "core/declared": ["core/options", "model"],
  "core/ingress": [
    "core/annotations",
    "core/declared",
    "core/modsecurity",
    "core/options",
    "core/snippets",
    "model",
  ],
  "core/streams": ["core/declared", "core/options", "model"],
  "core/gateway": ["core/declared", "core/options", "model"],
  "core/assemble": ["core/declared", "core/options", "model"],
  "core/translate": [
    "core/assemble",
    "core/declared",
    "core/gateway",
    "core/ingress",
    "core/options",
    "core/streams",
    "model",
  ],
  "core/plan": ["model"],
  "report/problems": ["model"],
  "report/history": ["type:model"],
  "report/profiles": [],
  "report/observe": ["type:model"],
  "report/events": ["model", "type:input/provider"],
  "report/traces": ["type:model"],
  "report/status": ["model", "type:core/options", "type:input/provider"],
  "report/exposure": ["model", "report/status", "type:core/options", "type:input/provider"],
  "output/render": ["model"],
  // what the controller needs of a data plane, whichever it is
  "output/plane": ["type:model", "type:core/plan"],
  "output/control": ["model", "core/plan", "type:output/plane", "type:output/render"],
  "output/nginx": [
    "output/control",
    "output/render",
    "type:output/plane",
    "model",
    "core/options",
    "core/plan",
    "facts/x509",
  ],
  admission: ["core/annotations", "core/declared", "core/gateway", "core/ingress", "core/options", "model"],
  inspect: ["output/control", "output/nginx", "model"],
  "cli/certgen": ["input/cluster", "facts/x509", "model"],
  "cli/lint": [
    "admission",
    "core/annotations",
    "core/options",
    "core/snippets",
    "core/streams",
    "core/translate",
    "model",
    "facts/secrets",
    "input/store",
    "input/manifests",
    "input/cluster",
    "type:input/provider",
  ],
  "cli/convert": ["cli/lint", "core/annotations", "core/options", "model"],
  "cli/diff": ["cli/lint", "core/annotations", "type:core/translate", "model"],
  "cli/commands": [
    "output/control",
    "output/nginx",
    "model",
    "inspect",
    "cli/certgen",
    "cli/convert",
    "cli/diff",
    "cli/lint",
  ],
  ui: ["inspect", "output/control", "type:output/plane", "report/history", "model"],
  sync: [
    "core/options",
    "core/plan",
    "core/translate",
    "core/declared",
    "type:facts/names",
    "type:facts/ocsp",
    "type:facts/policies",
    "type:facts/rule-sets",
    "type:facts/secrets",
    "type:input/provider",
    "type:input/store",
    "type:output/plane",
    "type:report/events",
    "type:report/history",
    "type:report/observe",
    "type:report/problems",
    "type:report/traces",
    "model",
  ],
  run: "all",
  main: "all",
}

/** What the process takes of the nginx on its machine: everything above knows `output/plane` only. */
const localPlane: readonly string[] = [
  "output/nginx/local-nginx.ts",
  "output/nginx/machine.ts", // addresses of the Pod
  "output/nginx/shutdown.ts", // the signal of `wick wait-shutdown`
  "output/nginx/workplace.ts",
]

/** Folder of one of those parts → those that it may import, types too. */
const stages: Readonly<Record<string, readonly string[]>> = {
  "ingress/parsed": [],
  "ingress/read": ["ingress/parsed"],
  "ingress/hosts": ["ingress/parsed"],
  "ingress/backends": ["ingress/parsed", "ingress/hosts"],
  "ingress/tls": ["ingress/parsed", "ingress/hosts"],
  "assemble/backends": [],
  "assemble/tls": [],
  "assemble/routes": ["assemble/backends", "assemble/tls"],
}

/** Outside library → the parts that may import it. Others get what they need as an argument. */
const owners: Readonly<Record<string, readonly string[]>> = {
  "@eslint-community/regexpp": ["cli/diff"],
  "@grpc/grpc-js": ["report/traces"],
  "@kubernetes/client-node": ["input/cluster"],
  "@opentelemetry/api": ["report/traces"],
  "@opentelemetry/exporter-trace-otlp-grpc": ["report/traces"],
  "@opentelemetry/exporter-trace-otlp-proto": ["report/traces"],
  "@opentelemetry/resources": ["report/traces"],
  "@opentelemetry/sdk-trace": ["report/traces"],
  "@opentelemetry/semantic-conventions": ["report/traces"],
  asn1js: ["facts/x509"],
  chokidar: ["input/manifests"],
  yaml: ["cli/commands", "cli/convert", "input/manifests", "input/cluster"],
  "fastest-levenshtein": ["support"],
  htm: ["ui"],
  "ipaddr.js": ["support"],
  liquidjs: ["output/render"],
  "p-limit": ["support"],
  pino: ["report/observe"],
  "pino-pretty": ["report/observe"],
  pkijs: ["facts/x509"],
  sarif: ["cli/lint"],
  preact: ["ui"],
  "prom-client": ["report/observe"],
  protobufjs: ["report/observe"],
  uplot: ["ui"],
  "node:child_process": ["output/nginx"],
  "node:dgram": ["output/nginx"],
  "node:dns": ["facts/names"],
  "node:fs": [
    "admission",
    "cli/commands",
    "cli/diff",
    "inspect",
    "input/manifests",
    "input/policies",
    "input/geoip",
    "input/cluster",
    "facts/names",
    "output/nginx",
    "output/render",
    "report/observe",
    "run",
    "ui",
    "main",
  ],
  "node:http": [
    "admission",
    "cli/commands",
    "inspect",
    "ui",
    "cli/diff",
    "facts/fetch",
    "input/cluster",
    "output/control",
    "output/nginx",
    "report/observe",
    "report/profiles",
    "support",
  ],
  "node:inspector": ["report/profiles"],
  "node:https": ["admission", "cli/diff", "inspect", "input/cluster"],
  "node:net": [
    "cli/diff",
    "cli/lint",
    "facts/fetch",
    "input/cluster",
    "output/nginx",
    "output/render",
    "model",
    "facts/x509",
    "cli/certgen",
    "core/assemble",
    "core/ingress",
    "core/options",
    "core/annotations",
    "facts/names",
    "report/status",
    "support",
  ],
  "node:module": ["support", "ui"],
  "node:process": ["main"],
  "node:readline": ["cli/commands", "cli/diff"],
  "node:tty": ["cli/commands"],
  "node:stream": ["report/observe", "report/profiles"],
  "node:v8": ["report/profiles", "run"],
  "node:vm": ["run"],
  "node:worker_threads": ["input/manifests"],
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
  "node:zlib",
])
/** Libraries of Node that have effects but belong to no part. */
const common = new Set(["node:diagnostics_channel", "node:events", "node:os", "node:perf_hooks"])

const all = sources().flatMap(importsOf)
const printed = (found: typeof all) => found.map(({ from, to }) => `${from} imports ${to}`)

describe("in controller/, cli/ and ui/", () => {
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

  test("nothing imports from a folder above its own", () => {
    const height = (path: string) => order.indexOf(partOf(path).split("/")[0] ?? "")
    const wrong = all.filter(({ from, to, isOutside }) => !isOutside && height(to) < height(from))
    expect(printed(wrong)).toEqual([])
  })

  test("what assembles declarations has the words of no family of objects", () => {
    const word = /ingress|gateway|annotation/i
    const known = new Set([
      "ingressName: routeSourceName(source),",
      'return meta.annotations[topologyMode]?.toLowerCase() === "auto"',
    ])
    const neutral = sources().filter((source) => /^core\/(?:assemble|declared)\//.test(source))
    const wrong = neutral.flatMap((source) => {
      const lines = withoutComments(textOf(source))
        .split("\n")
        .map((line) => line.trim())
      return lines.filter((line) => word.test(line) && !known.has(line)).map((line) => `${source}: ${line}`)
    })
    expect(neutral.length).toBeGreaterThan(30)
    expect(wrong).toEqual([])
  })

  test("a stage of the core imports only stages before it, and reading one Ingress knows no other", () => {
    const stage = (path: string) => /^core\/((?:ingress|assemble)\/[^/]+)\//.exec(path)?.[1]
    const mayTranslate = (from: string, to: string) => from === to || (stages[from]?.includes(to) ?? false)
    const wrong = all.filter(({ from, to, isOutside }) => {
      const [here, there] = [stage(from), stage(to)]
      return !isOutside && here !== undefined && there !== undefined && !mayTranslate(here, there)
    })
    expect(printed(wrong)).toEqual([])
    const known = new Set(sources().flatMap((source) => stage(source) ?? []))
    expect([...known].sort()).toEqual(Object.keys(stages).sort())
  })

  test("the process takes the data plane on its machine as a whole", () => {
    const isProcess = (path: string) => ["main", "run"].includes(partOf(path))
    const isOutput = (path: string) => path.startsWith("output/") && !path.startsWith("output/plane/")
    const wrong = all.filter(({ from, to }) => isProcess(from) && isOutput(to) && !localPlane.includes(to))
    expect(printed(wrong)).toEqual([])
  })

  test("nothing above the data plane speaks of its processes, files and sockets", () => {
    const above = sources().filter(
      (path) => /^(run|sync|report|ui)\//.test(path) && !path.startsWith("ui/page/"),
    )
    const speaks = /\b(layout|masterPid|pid|socketPath|sockets|statusUrl)\b|\.sock\b|\/proc\//
    expect(above.length).toBeGreaterThan(50)
    expect(above.filter((path) => speaks.test(withoutComments(textOf(path))))).toEqual([])
  })

  test("no files import each other in a circle", () => {
    expect(circles(all)).toEqual([])
  })

  test("no two files of one stage have the same name", () => {
    const byName = Map.groupBy(sources(), (path) => `${stageOf(path)} has two files ${basename(path)}`)
    expect([...byName].filter(([, paths]) => paths.length > 1).map(([name]) => name)).toEqual([])
  })

  test("an outside library has one owner", () => {
    const libraryOf = ({ to, isOutside }: Import) =>
      isOutside ? to : to === "support/http.ts" ? "node:http" : undefined
    const wrong = all.filter((one) => {
      const library = libraryOf(one)
      return library !== undefined && !mayUse(partOf(one.from), library)
    })
    expect(printed(wrong)).toEqual([])
  })

  test("only output/nginx writes files", () => {
    const writes =
      /\b(appendFile|chmod|chown|copyFile|createWriteStream|link|mkdir|mkdtemp|rename|rm|rmdir|symlink|unlink|writeFile)(Sync)?\b/
    const wrong = sources().filter(
      (source) => partOf(source) !== "output/nginx" && writes.test(importedFromFs(textOf(source))),
    )
    expect(wrong).toEqual([])
  })

  test("the core remembers nothing but in objects that somebody owns", () => {
    // What begins empty is filled by somebody, unless its type or its name (`noRoutes`) says that it stays so.
    const remembers =
      /^(?:export )?(?:let \w|const (?!no[A-Z])\w+(?:: (?!Readonly)[^=\n]+)? = (?:new \w+(?:<[^(]*>)?\(\)|rememberedLast))/m
    const wrong = sources().filter((source) => source.startsWith("core/") && remembers.test(textOf(source)))
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

/** Parts of core/ and cli/ are stages of their own: an annotation, its option and its translation may well have one name. */
function stageOf(path: string): string {
  const part = partOf(path)
  return /^(core|cli)\//.test(part) ? part : (part.split("/")[0] ?? "")
}

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
