// The files of the checkout as they are now, and those of the facts beside it that tests may read. What git ignores is made, not written.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"

/** Paths are relative to the checkout, with `/`. */
export interface Tree {
  /** `undefined`: there is nothing of this name. */
  kind(path: string): "file" | "folder" | undefined
  /** All files below a folder, or the file itself. */
  files(path: string): readonly string[]
  read(path: string): Buffer
}

/** @throws when `root` is no checkout of git */
export function treeOf(root: string, shared: string): Tree {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  // A file that was deleted and is still in the index is no file.
  const own = listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path)))
  return treeOfFiles([...new Set(own), ...filesBeside(root, shared)], (path) => contentOf(join(root, path)))
}

/** Of a link where it leads to: what is there is a file of its own. */
function contentOf(path: string): Buffer {
  return lstatSync(path).isSymbolicLink() ? Buffer.from(readlinkSync(path)) : readFileSync(path)
}

function filesBeside(root: string, folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(root, path).replaceAll(sep, "/"))
}

/** A tree of these files. */
export function treeOfFiles(files: readonly string[], read: Tree["read"]): Tree {
  const known = new Set(files)
  const below = new Map<string, string[]>()
  for (const file of files)
    for (let folder = dirname(file); folder !== "." && folder !== ".."; folder = dirname(folder)) {
      const list = below.get(folder)
      if (list === undefined) below.set(folder, [file])
      else list.push(file)
    }
  return {
    kind: (path) => (known.has(path) ? "file" : below.has(path) ? "folder" : undefined),
    files: (path) => (known.has(path) ? [path] : (below.get(path) ?? [])),
    read,
  }
}

/** A hash of each file's content, read once. */
export function hashesOf(tree: Tree): (path: string) => string {
  const known = new Map<string, string>()
  return (path) => {
    const hash = known.get(path) ?? createHash("sha256").update(tree.read(path)).digest("hex")
    known.set(path, hash)
    return hash
  }
}
