import { Session } from "node:inspector/promises"
import { sleep } from "../../support/abort.ts"

/** A profile that is taken for some time, of this process by itself. Source: the Chrome DevTools Protocol, of V8. */
interface Timed {
  readonly begin: (session: Session) => Promise<void>
  /** @returns what the profile's file holds */
  readonly end: (session: Session) => Promise<object>
}

/** By what they are of. */
export const timed = {
  /** where the time goes */
  cpu: {
    begin: async (session) => {
      await session.post("Profiler.enable")
      await session.post("Profiler.start")
    },
    end: async (session) => (await session.post("Profiler.stop")).profile,
  },
  /** who takes memory: a sample for each 32 KiB or so, of what is given back meanwhile, too */
  allocations: {
    begin: async (session) => {
      const givenBack = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
      await session.post("HeapProfiler.startSampling", givenBack)
    },
    end: async (session) => (await session.post("HeapProfiler.stopSampling")).profile,
  },
} as const satisfies Readonly<Record<string, Timed>>

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
