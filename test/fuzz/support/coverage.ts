import { Session } from "node:inspector/promises"

/** Says how many places of our code were reached for the first time since it was asked before. */
export async function startCoverage(): Promise<() => Promise<number>> {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true })
  const seen = new Set<string>()
  return async () => {
    const before = seen.size
    const { result } = await session.post("Profiler.takePreciseCoverage")
    for (const { url, functions } of result.filter(({ url }) => url.includes("/controller/")))
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges)
          if (count > 0) seen.add(`${url}:${startOffset}:${endOffset}`)
    return seen.size - before
  }
}
