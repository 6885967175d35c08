import { join, relative, sep } from "node:path"
import { type FSWatcher, watch } from "chokidar"
import { entryAt } from "./entries.ts"

/** What a tree of files tells. Paths are relative to its directory. */
export interface TreeEvents {
  /** a file may be there, be another, or be gone */
  readonly touched: (file: string) => void
  /** something below the directory cannot be watched */
  readonly failed: (error: unknown) => void
}

/**
 * Watches the manifests below a directory. Names that start with a dot are left out: a mounted ConfigMap keeps its versions in such
 * directories and swaps them behind links, and editors keep their drafts there. Neither pipes, devices nor what links outside lead to are
 * watched.
 *
 * @returns once everything that exists has been told
 */
export async function watchTree(directory: string, events: TreeEvents): Promise<FSWatcher> {
  const isHidden = (path: string) => namesBelow(directory, path).some((name) => name.startsWith("."))
  const touched = (path: string) => {
    if (/\.(ya?ml|json)$/.test(path) && !isHidden(path)) events.touched(relative(directory, path))
  }
  const isIgnored = (path: string) => {
    if (isHidden(path)) return true
    if (namesBelow(directory, path).length === 0) return false
    const entry = entryAt(directory, path)
    if (entry.kind !== "refused") return entry.kind === "elsewhere"
    // not watched, and told all the same: the reader says why it cannot be read
    if (entry.hidesFiles) events.touched(relative(directory, path))
    else touched(path)
    return true
  }
  const watcher = watch(directory, { ignored: isIgnored, atomic: false })
  watcher.on("add", touched).on("change", touched).on("unlink", touched).on("error", events.failed)
  await new Promise<void>((resolve) => watcher.once("ready", resolve))
  // chokidar tells a change within 50 ms of another one late; what the system itself says comes first and costs no more than a reading
  watcher.on("raw", (_, name, details) => {
    if (name !== null && isPlace(details)) touched(join(details.watchedPath, name))
  })
  return watcher
}

/** The names from the directory down to the path; none of a path that is not below it. */
function namesBelow(directory: string, path: string): readonly string[] {
  const names = relative(directory, path).split(sep)
  return names[0] === ".." ? [] : names
}

function isPlace(details: unknown): details is { readonly watchedPath: string } {
  return (
    typeof details === "object" &&
    details !== null &&
    "watchedPath" in details &&
    typeof details.watchedPath === "string"
  )
}
