import { Session } from "node:inspector/promises"
import { sleep } from "../../support/abort.ts"

/** A profile that is taken for some time, of this process by itself. Source: the Chrome DevTools Protocol, of V8. */
export interface Timed {
  readonly begin: (session: Session) => Promise<void>
  /** @returns what the profile's file holds */
  readonly end: (session: Session) => Promise<object>
}

/** Where the time goes. */
export const cpu: Timed = {
  begin: async (session) => {
    await session.post("Profiler.enable")
    await session.post("Profiler.start")
  },
  end: async (session) => (await session.post("Profiler.stop")).profile,
}

/** Who takes memory: a sample for each 32 KiB or so, of what is given back meanwhile, too. */
export const allocations: Timed = {
  begin: async (session) => {
    const givenBack = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
    await session.post("HeapProfiler.startSampling", givenBack)
  },
  end: async (session) => (await session.post("HeapProfiler.stopSampling")).profile,
}

/** @param signal ends it early, with what there is by then */
export async function take({ begin, end }: Timed, ms: number, signal: AbortSignal): Promise<object> {
  const session = new Session()
  session.connect()
  try {
    await begin(session)
    await sleep(ms, signal)
    return await end(session)
  } finally {
    session.disconnect()
  }
}
