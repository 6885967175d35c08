import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { reasonOf, systemCode } from "../../support/failure.ts"
import { entryAt } from "./entries.ts"
import { maxFileMebibytes } from "./limits.ts"

/** What lies at a path. */
export type Reading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly reason: string }

/** Reads a regular file below the directory. Never throws; does not open pipes and devices, nor what a link outside leads to. */
export async function readText(directory: string, name: string): Promise<Reading> {
  try {
    const entry = entryAt(directory, join(directory, name))
    if (entry.kind === "refused") return { kind: "unreadable", reason: entry.reason }
    if (entry.kind !== "file") return { kind: "absent" } // what is in a directory has paths of its own
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
    await using file = await open(entry.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    const stats = await file.stat()
    if (!stats.isFile()) return { kind: "unreadable", reason: "it is no regular file" }
    if (stats.size > maxFileMebibytes * 1024 ** 2)
      return { kind: "unreadable", reason: `it is larger than ${maxFileMebibytes} MiB` }
    return { kind: "text", text: await file.readFile("utf8") }
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return { kind: "absent" }
    const [reason = ""] = reasonOf(error).split(/, (?:open|l?stat|realpath)/)
    return { kind: "unreadable", reason }
  }
}
