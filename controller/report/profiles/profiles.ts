import type { ServerResponse } from "node:http"
import { pipeline } from "node:stream/promises"
import { getHeapSnapshot } from "node:v8"

/** A profile that can be asked for. */
export interface Profile {
  /** the last part of its path */
  readonly name: string
  /** of its file, by which tools know what it is */
  readonly extension: string
  /** what it is and how it is opened, for a person */
  readonly what: string
  /** how long it takes when nobody says, and at most; absent: it is of one moment */
  readonly seconds?: { readonly usual: number; readonly most: number }
  /** Writes the whole answer, unless the client goes. @param gone the client did */
  readonly write: (
    response: ServerResponse,
    ms: number,
    gone: AbortSignal,
    headers: Readonly<Record<string, string>>,
  ) => Promise<void>
}

/** A client that reads nothing for so long keeps a snapshot in memory no longer. */
const stalledMs = 60_000

const seconds = { usual: 30, most: 300 }

export const profiles: readonly Profile[] = [
  {
    name: "profile",
    extension: "cpuprofile",
    what: "where the time goes. Open it in Chrome (DevTools, Performance, Load profile), in Visual Studio Code or at speedscope.app",
    seconds,
    write: during("cpu"),
  },
  {
    name: "allocs",
    extension: "heapprofile",
    what: "who takes memory meanwhile, by samples. Open it in Chrome (DevTools, Memory, Load profile) or in Visual Studio Code",
    seconds,
    write: during("allocations"),
  },
  {
    name: "heap",
    extension: "heapsnapshot",
    what: "everything in memory, PRIVATE KEYS AND OTHER SECRETS TOO. The controller stands still meanwhile and needs twice its memory; nginx goes on. Open it in Chrome (DevTools, Memory, Load profile)",
    async write(response, _, gone, headers) {
      response.writeHead(200, headers)
      response.setTimeout(stalledMs, () => response.destroy())
      await unlessGone(pipeline(getHeapSnapshot(), response), gone)
    },
  },
]

/** The inspector is loaded when somebody asks: a controller that nobody profiles does without it. */
function during(kind: "cpu" | "allocations"): Profile["write"] {
  return async (response, ms, gone, headers) => {
    const { take, timed } = await import("./timed.ts")
    const profile = await take(timed[kind], ms, gone)
    if (!gone.aborted) response.writeHead(200, headers).end(JSON.stringify(profile))
  }
}

/** That a client has gone is no failure. */
async function unlessGone(writing: Promise<void>, gone: AbortSignal): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!gone.aborted) throw error
  }
}
