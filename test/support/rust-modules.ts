// Which files of a Rust crate use which, read from the source text: every path that begins with `crate`, `self`, `super`, a
// module of the file itself, or a module that a `use` brought. `mod` lines and tests inside of files do not count. It knows
// no types: a method is nobody's, wherever its `impl` is.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"

/** Files by their paths below `src/`, e.g. `tls/ready.rs`. */
export type Sources = ReadonlyMap<string, string>

export interface Arrow {
  readonly from: string
  readonly to: string
}

const nginx = join(root, "nginx")

/** The names of the folders of all crates. */
export function crates(): string[] {
  return readdirSync(nginx, { recursive: false, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(nginx, entry.name)).includes("Cargo.toml"))
    .map(({ name }) => name)
    .sort()
}

export function sourcesOf(crate: string): Sources {
  const folder = join(nginx, crate, "src")
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".rs"),
  )
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), "utf8")]))
}

/** What the `[dependencies]` of a crate name, tests' own not among them. */
export function dependenciesOf(crate: string): string[] {
  const [, section = ""] =
    /^\[dependencies\]\n((?:(?!\[).*\n)*)/m.exec(readFileSync(join(nginx, crate, "Cargo.toml"), "utf8")) ?? []
  return [...section.matchAll(/^([\w-]+)/gm)].map(([, name = ""]) => name)
}

/** All uses of one file by another, each once. */
export function arrowsOf(sources: Sources): Arrow[] {
  const files = new Map([...sources.keys()].map((file) => [moduleOf(file).join("::"), file]))
  return [...sources].flatMap(([from, text]) => {
    const used = usedModules(moduleOf(from), bare(text), files)
    return [...used].filter((to) => to !== from).map((to) => ({ from, to }))
  })
}

/** `tls/ready.rs` → tls, ready; `lib.rs` → nothing. */
function moduleOf(file: string): string[] {
  return file === "lib.rs" ? [] : file.replace(/\.rs$/, "").split("/")
}

/** Without comments, literals and tests; what a module inside of the file calls `super` is the file itself. */
function bare(text: string): string {
  return text
    .replace(/\/\/.*|'(?:[^'\\\n]|\\.)'|"(?:[^"\\]|\\[\s\S])*"/g, "")
    .replace(/#\[cfg\(test\)\]\s*mod \w+ \{[\s\S]*$/, "")
    .replace(/\bmod \w+ \{([\s\S]*?)\n\}/g, (_, body: string) => body.replaceAll("super::", "self::"))
}

/** The files that the text of the module `own` uses; `files` has those of the crate by the paths of their modules. */
function usedModules(own: readonly string[], text: string, files: ReadonlyMap<string, string>): Set<string> {
  const brought = new Map<string, readonly string[]>()
  const used = new Set<string>()
  const use = (path: readonly string[], name?: string) => {
    const full = absolute(path, own, (first) => brought.get(first) ?? child(own, first, files))
    if (full === undefined) return
    if (name !== undefined && files.has(full.join("::"))) brought.set(name, full)
    for (let length = full.length; length >= 0; length--) {
      const file = files.get(full.slice(0, length).join("::"))
      if (file !== undefined) return void used.add(file)
    }
  }
  const imports = /\buse\s+([^;]+);/g
  for (const [, tree = ""] of text.matchAll(imports))
    for (const { path, name } of leaves(tree)) use(path, name)
  for (const [path] of text.replace(imports, "").matchAll(/(?<![\w:])(?:[a-z_]\w*::)+(?:\w+!?)?/g)) {
    const parts = path.split("::").filter((part) => part !== "" && !part.endsWith("!"))
    // A crate's macros are all at its root, whichever file writes them.
    if (!path.endsWith("!") || parts.length > 1) use(parts)
  }
  return used
}

function child(own: readonly string[], name: string, files: ReadonlyMap<string, string>) {
  const path = [...own, name]
  return files.has(path.join("::")) ? path : undefined
}

/** The path from the crate's root; undefined: it leads out of the crate. */
function absolute(
  [first = "", ...rest]: readonly string[],
  own: readonly string[],
  known: (name: string) => readonly string[] | undefined,
): string[] | undefined {
  if (first === "crate") return rest
  if (first === "self") return [...own, ...rest]
  if (first !== "super") return known(first)?.concat(rest)
  const ups = rest.findIndex((part) => part !== "super")
  const more = ups < 0 ? rest.length : ups
  return [...own.slice(0, own.length - 1 - more), ...rest.slice(more)]
}

interface Leaf {
  readonly path: readonly string[]
  /** What the file calls it. */
  readonly name: string
}

/** `a::{b, c::{d as e, self}}` → a::b, a::c::d as e, a::c. */
function leaves(tree: string, before: readonly string[] = []): Leaf[] {
  const open = tree.indexOf("{")
  if (open < 0) {
    const [path = "", alias] = tree.split(/\sas\s/).map((part) => part.trim())
    const parts = [...before, ...path.split("::")].filter(
      (part, i) => part !== "" && (part !== "self" || i === 0),
    )
    return [{ path: parts, name: alias ?? parts.at(-1) ?? "" }]
  }
  const head = [...before, ...tree.slice(0, open).trim().split("::").slice(0, -1)]
  return branches(tree.slice(open + 1, tree.lastIndexOf("}"))).flatMap((branch) => leaves(branch, head))
}

/** Splits at the commas that are in no braces. */
function branches(list: string): string[] {
  let depth = 0
  const marked = [...list].map((char) => {
    if (char === "{") depth++
    if (char === "}") depth--
    return char === "," && depth === 0 ? "\n" : char.replace("\n", " ")
  })
  return marked
    .join("")
    .split("\n")
    .filter((branch) => branch.trim() !== "")
}
