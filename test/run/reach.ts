// Which files decide what a source does: all that it names. An import, a program that is started and a fixture that is read are each a
// path in the text, so one rule finds all of them: whatever in a source looks like a path, and is there, can be reached. Sources that are reached are
// read in turn. Too much is no harm (a test runs again for nothing); opened.ts shows whether it is too little.
import { posix } from "node:path"
import type { Tree } from "./tree.ts"

/** Folder of the facts beside the checkout, as paths name it. */
const besides = ["..", "../shared"]

/** Sources that are read in turn. */
const isFollowed = (path: string) => /\.(ts|js|mjs)$/.test(path)

export class Reach {
  readonly #tree: Tree
  readonly #named = new Map<string, readonly string[]>()

  constructor(tree: Tree) {
    this.#tree = tree
  }

  /** All files that the sources can reach, themselves included; in order. */
  of(...sources: readonly string[]): readonly string[] {
    const reached = new Set<string>()
    const open = [...sources]
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const file of this.#tree.files(path)) {
        if (reached.has(file)) continue
        reached.add(file)
        // What a named folder holds is data; a source in it runs only where it is named itself.
        if (file === path && isFollowed(file)) open.push(...this.#namedIn(file))
      }
    }
    return [...reached].sort()
  }

  #namedIn(source: string): readonly string[] {
    const known = this.#named.get(source)
    if (known !== undefined) return known
    const folder = posix.dirname(source)
    const text = codeOf(this.#tree.read(source).toString("utf8"))
    const named = [
      ...pathsIn(text).flatMap((path) => candidates([folder, ".", ...besides], path)),
      ...namesAlone(text, folder),
    ].filter((path) => this.#tree.kind(path) !== undefined && !isMention(source, path))
    const found = [...new Set(named)]
    this.#named.set(source, found)
    return found
  }
}

/** Messages of the product say where to read on; it reads no page itself. */
function isMention(source: string, path: string): boolean {
  return /^(controller|cli|ui)\//.test(source) && path.startsWith("docs/")
}

function codeOf(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")
}

/** Everything in code that could be a path: with a slash inside, or an extension. */
function pathsIn(code: string): string[] {
  // join("a", "b") names a/b as well as a and b.
  const joined = code.replace(/(["'`]),\s*\1/g, "/")
  const paths = [code, joined].flatMap((each) =>
    [...each.matchAll(/[\w@.-]*[/.][\w@./-]*/g)].map(([path]) => path.replace(/^\/+|\/+$/g, "")),
  )
  return [...new Set(paths)].filter((path) => /\w[/.]\w|\.\.\/\w/.test(path))
}

/** `join(root, "docs")`: a name alone is a path only where its folder is said. */
function namesAlone(code: string, folder: string): string[] {
  return [...code.matchAll(/\b(root|dirname|here|shared),\s*"([\w-][\w.-]*)"(?!,\s*")/g)].map(
    ([, base, name = ""]) =>
      posix.normalize(posix.join(base === "root" ? "." : base === "shared" ? "../shared" : folder, name)),
  )
}

/** Where a path may lead to from these folders. Sources of AssemblyScript leave out `.ts`. */
function candidates(folders: readonly string[], path: string): string[] {
  return folders
    .map((base) => posix.normalize(posix.join(base, path)))
    .filter((at) => !/^(\.|\.\.|\.\.\/shared)?$/.test(at))
    .flatMap((at) => [at, `${at}.ts`])
}
