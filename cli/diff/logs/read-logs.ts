import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline"
import { createGunzip, gunzipSync } from "node:zlib"
import { Failure, reasonOf } from "../../../controller/support/failure.ts"
import { type DiffRequest, keyOf } from "../requests/request.ts"
import { parseLogLine } from "./access-log.ts"
import { parseHar } from "./har.ts"
import type { requestFinder } from "./requests-of-logs.ts"

type Finder = ReturnType<typeof requestFinder>

/** What a log came to. */
export interface ReadLog {
  /** each once, in the order of the log */
  readonly requests: readonly DiffRequest[]
  /** lines that are no requests, or of no known format */
  readonly unread: number
  /** requests of which nobody can say for which host they were */
  readonly withoutHost: number
  /** requests beyond those that are kept */
  readonly tooMany: number
}

/** More different requests than anybody would send. */
export const maxKept = 100_000

/** An access log, packed by gzip if its name ends so. @throws Failure */
export async function readAccessLog(file: string, find: Finder): Promise<ReadLog> {
  const kept = new Map<string, DiffRequest>()
  let unread = 0
  let withoutHost = 0
  let tooMany = 0
  try {
    for await (const line of linesOf(file)) {
      const logged = parseLogLine(line)
      const request = logged && find(logged, "access log")
      if (logged === undefined) unread += line.trim() === "" ? 0 : 1
      else if (request === undefined) withoutHost += 1
      else if (kept.size < maxKept) kept.set(keyOf(request), kept.get(keyOf(request)) ?? request)
      else if (!kept.has(keyOf(request))) tooMany += 1
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  return { requests: [...kept.values()], unread, withoutHost, tooMany }
}

/** @param takesCredentials as `parseHar` @throws Failure */
export async function readHar(file: string, find: Finder, takesCredentials: boolean): Promise<ReadLog> {
  try {
    const bytes = await readFile(file)
    const text = (isPacked(file) ? gunzipSync(bytes) : bytes).toString()
    const requests = parseHar(text, takesCredentials).flatMap((logged) => find(logged, "HAR") ?? [])
    return { requests, unread: 0, withoutHost: 0, tooMany: 0 }
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** A fault of either stream ends both, and the lines. */
function linesOf(file: string): AsyncIterable<string> {
  const source = createReadStream(file)
  if (!isPacked(file)) return createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })
  const unpacked = createGunzip()
  source.once("error", (error) => unpacked.destroy(error))
  return createInterface({ input: source.pipe(unpacked), crlfDelay: Number.POSITIVE_INFINITY })
}

function isPacked(file: string): boolean {
  return file.endsWith(".gz")
}

function unreadable(file: string, cause: unknown): Failure {
  return new Failure("log-unreadable", `Cannot read ${JSON.stringify(file)}: ${reasonOf(cause)}`, { cause })
}
