// The import statements of controller/, read from the source text.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { root } from "./paths.ts"

/** One import statement. */
export interface Import {
  /** Path below controller/, e.g. `translate/routes.ts`. */
  readonly from: string
  /** Path below controller/, or the name of an outside library (`liquidjs`, `node:fs`). */
  readonly to: string
  readonly isOutside: boolean
  /** `import type`: gone when the program runs. */
  readonly isType: boolean
}

const controller = join(root, "controller")

/** Paths of all sources below controller/. */
export function sources(): string[] {
  return readdirSync(controller, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
}

export function textOf(source: string): string {
  return readFileSync(join(controller, source), "utf8")
}

/** The part of the tree a path belongs to: its folder, or `main`, `run`, `sync` for the files on top. */
export function partOf(path: string): string {
  const [first = ""] = path.split(sep)
  return first.replace(/\.ts$/, "")
}

/** All imports of one source: static ones, re-exports and `import()` of a fixed name. */
export function importsOf(source: string): Import[] {
  const text = textOf(source)
  const pattern = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm
  return [...text.matchAll(pattern)].map(([, type, named, dynamic]) =>
    toImport(source, named ?? dynamic ?? "", type !== undefined),
  )
}

function toImport(from: string, name: string, isType: boolean): Import {
  if (name.startsWith(".")) {
    const to = relative(controller, resolve(controller, dirname(from), name))
    return { from, to, isOutside: false, isType }
  }
  const [first = "", second = ""] = name.split("/")
  return { from, to: first.startsWith("@") ? `${first}/${second}` : first, isOutside: true, isType }
}
