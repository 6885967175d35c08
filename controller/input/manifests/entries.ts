import { lstatSync, realpathSync, type Stats, statSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { reasonOf, systemCode } from "../../support/failure.ts"

/** What an entry of a watched tree is for us. */
export type Entry =
  /** `path` is where it really is */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "directory" }
  /** a link to a directory that is read where it really is */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "absent" }
  /** `hidesFiles` when there may be manifests in what it leads to; the reason is a clause */
  | { readonly kind: "refused"; readonly hidesFiles: boolean; readonly reason: string }

/**
 * Looks at an entry of a tree, and at what a link leads to. Links stay in the tree: out of it, one would lead to all files of the machine.
 * A link to a directory is followed where its content is read nowhere else, as it is below a hidden name: a mounted ConfigMap has its
 * directories there. Below such a link no other one is followed, so that there are no circles.
 *
 * @param directory the root of the tree, a link itself or not
 * @param path      of the entry, beginning with `directory`
 */
export function entryAt(directory: string, path: string): Entry {
  try {
    const stats = lstatSync(path)
    const root = realpathSync.native(directory)
    if (path === directory) return { kind: "directory" }
    const real = realpathSync.native(path)
    if (!isBelow(root, real))
      return refused("it is a link that leads out of the directory", statSync(real).isDirectory())
    return stats.isSymbolicLink() ? linked(root, real, path, directory) : plain(stats, real)
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return { kind: "absent" }
    const [reason = ""] = reasonOf(error).split(/, (?:l?stat|realpath)/)
    return refused(reason)
  }
}

function plain(stats: Stats, real: string): Entry {
  if (stats.isDirectory()) return { kind: "directory" }
  if (stats.isFile()) return { kind: "file", path: real }
  return refused("it is no regular file")
}

function linked(root: string, real: string, path: string, directory: string): Entry {
  const target = plain(statSync(real), real)
  if (target.kind !== "directory") return target
  const isHidden = relative(root, real)
    .split(sep)
    .some((name) => name.startsWith("."))
  if (!isHidden) return { kind: "elsewhere" }
  const parent = dirname(path)
  if (realpathSync.native(parent) === join(root, relative(directory, parent))) return target
  return refused("it is a link to a directory below another such link", true)
}

function refused(reason: string, hidesFiles = false): Entry {
  return { kind: "refused", hidesFiles, reason }
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
