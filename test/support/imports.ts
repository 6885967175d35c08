// The import statements of controller/, cli/ and ui/, read from the source text.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { root } from "../../harness/paths.ts"

/** One import statement. */
export interface Import {
  /** Path below controller/, e.g. `core/plan/plan.ts`; with its folder where that is another one: `cli/lint/lint.ts`. */
  readonly from: string
  /** Path as `from` has it, or the name of an outside library (`liquidjs`, `node:fs`). */
  readonly to: string
  readonly isOutside: boolean
  /** `import type`: gone when the program runs. */
  readonly isType: boolean
}

const controller = join(root, "controller")

/** Beside controller/. */
const others = ["cli", "ui"]

/** Paths of all sources. */
export function sources(): string[] {
  const below = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
  return [
    ...below("controller"),
    ...others.flatMap((folder) => below(folder).map((path) => join(folder, path))),
  ]
    .filter((path) => path.endsWith(".ts"))
    .sort()
}

export function textOf(source: string): string {
  return readFileSync(pathOf(source), "utf8")
}

function pathOf(source: string): string {
  const [first = ""] = source.split(sep)
  return join(others.includes(first) ? root : controller, source)
}

/** Folders that hold parts; every other folder is a part of its own. */
const layers = new Set(["cli", "output", "report", "core", "facts", "input"])

/** The part of the tree a path belongs to: `output/render`, `model`, `main`. */
export function partOf(path: string): string {
  const [first = "", second = ""] = path.split(sep)
  const isPart = layers.has(first) && !second.endsWith(".ts")
  return isPart ? `${first}/${second}` : first.replace(/\.ts$/, "")
}

/** Groups of files that import each other, types too; each in order, the largest group first. */
export function circles(imports: readonly Pick<Import, "from" | "to">[]): string[][] {
  const arrows = Map.groupBy(imports, ({ from }) => from)
  const reached = new Map<string, Set<string>>()
  const reach = (file: string): Set<string> => {
    const known = reached.get(file)
    if (known !== undefined) return known
    const found = new Set<string>()
    const open = [file]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { to } of arrows.get(at) ?? []) {
        if (found.has(to)) continue
        found.add(to)
        open.push(to)
      }
    }
    reached.set(file, found)
    return found
  }
  const inCircles = [...arrows.keys()].filter((file) => reach(file).has(file)).sort()
  const groups = Map.groupBy(
    inCircles,
    (file) => inCircles.find((other) => reach(file).has(other) && reach(other).has(file)) ?? file,
  )
  return [...groups.values()].sort((a, b) => b.length - a.length)
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
    const target = resolve(dirname(pathOf(from)), name)
    const to = others.includes(relative(root, target).split(sep)[0] ?? "")
      ? relative(root, target)
      : relative(controller, target)
    return { from, to, isOutside: false, isType }
  }
  const [first = "", second = ""] = name.split("/")
  return { from, to: first.startsWith("@") ? `${first}/${second}` : first, isOutside: true, isType }
}
