import { relative, sep } from "node:path"
import { type FSWatcher, watch } from "chokidar"

/** What a tree of files tells. Paths are relative to its directory. */
export interface TreeEvents {
  /** a file may be there, be another, or be gone */
  readonly touched: (file: string) => void
  /** something below the directory cannot be watched */
  readonly failed: (error: unknown) => void
}

/**
 * Watches the manifests below a directory. Names that start with a dot are left out: a mounted ConfigMap keeps its versions in such
 * directories and swaps them behind links, and editors keep their drafts there.
 *
 * @returns once everything that exists has been told
 */
export async function watchTree(directory: string, events: TreeEvents): Promise<FSWatcher> {
  const isHidden = (path: string) =>
    relative(directory, path)
      .split(sep)
      .some((name) => /^\.[^.]|^\.\../.test(name))
  const watcher = watch(directory, { ignored: isHidden, atomic: false })
  const touched = (path: string) => {
    if (/\.(ya?ml|json)$/.test(path)) events.touched(relative(directory, path))
  }
  watcher.on("add", touched).on("change", touched).on("unlink", touched).on("error", events.failed)
  await new Promise<void>((resolve) => watcher.once("ready", resolve))
  return watcher
}
