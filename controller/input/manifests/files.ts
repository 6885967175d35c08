import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { reasonOf, systemCode } from "../../support/failure.ts"

/** What lies at a path. */
export type Reading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly reason: string }

/** More than any manifest has and less than what would stop the controller for long. */
const maxMebibytes = 64

/** Reads a text file. Never throws, and does not wait for a writer when the path is a pipe. */
export async function readText(path: string): Promise<Reading> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (stats.isDirectory()) return { kind: "absent" } // what is in it has paths of its own
    if (!stats.isFile()) return { kind: "unreadable", reason: "it is no regular file" }
    if (stats.size > maxMebibytes * 1024 ** 2)
      return { kind: "unreadable", reason: `it is larger than ${maxMebibytes} MiB` }
    return { kind: "text", text: await file.readFile("utf8") }
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return { kind: "absent" }
    const [reason = ""] = reasonOf(error).split(", open")
    return { kind: "unreadable", reason }
  }
}
