// Damages texts and looks at what becomes of them: those that reach code which none has reached before are kept and damaged further.
import { hostile } from "../../support/hostile.ts"
import { startCoverage } from "./coverage.ts"
import { randomFrom } from "./random.ts"

export interface Target {
  /** as the report calls it */
  readonly name: string
  readonly seeds: readonly string[]
  /** what is put in beside what is hostile anywhere */
  readonly pieces: readonly string[]
  /** beginnings of a line, and what ends it */
  readonly names: readonly string[]
  readonly lineEnd: string
  /** @throws Error when it is a finding */
  readonly check: (text: string, one: <T>(of: readonly T[]) => T) => void
}

/** Texts between two looks at what was reached. */
const batch = 256
const maxKept = 20_000
/** Of this thread's processor time, for a text of some kilobytes. */
const maxMs = 2000
/** Kept texts grow no further. */
const maxLength = 16_384

const common = [
  ...["{", "}", ";", " ", "\n", '"', "'", "\\", "$", "${", "#", "(", ")", "~", "=", "@", "|", "\0", "$1"],
  // what every object of JavaScript has under a name
  ...["constructor", "__proto__", "toString"],
  ...hostile,
]

/** Ends the process with 1 and the text when there is a finding. Arguments of the process: seconds, and a seed. */
export async function fuzzTexts(target: Target): Promise<void> {
  const [seconds = 60, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
  const { below, one } = randomFrom(seed)
  const pieces = [...common, ...target.pieces]
  const kept = [...target.seeds]

  const inserted = () => {
    const kind = below(6)
    if (kind === 0) return ""
    if (kind === 1) return `${one(target.names)} ${one(pieces)}${target.lineEnd}`
    if (kind > 2) return one(pieces)
    const other = one(kept)
    const from = below(other.length + 1)
    return other.slice(from, from + below(80))
  }
  const damaged = (text: string) => {
    let it = text
    for (let n = below(4); n >= 0; n -= 1) {
      const at = below(it.length + 1)
      const end = Math.min(it.length, at + below(8))
      it = it.slice(0, at) + inserted() + it.slice(below(3) === 0 ? end : at)
    }
    return it.slice(0, maxLength)
  }

  const reached = await startCoverage()
  const until = performance.now() + seconds * 1000
  let count = 0
  let reachedPlaces = 0
  while (performance.now() < until) {
    const texts = Array.from({ length: batch }, () => damaged(one(below(4) === 0 ? target.seeds : kept)))
    for (const text of texts) {
      try {
        inTime(() => target.check(text, one))
      } catch (error) {
        process.stdout.write(
          `${target.name}: ${(error as Error).stack}\nseed ${seed}, text: ${JSON.stringify(text)}\n`,
        )
        process.exit(1)
      }
      count += 1
    }
    const more = await reached()
    reachedPlaces += more
    if (more > 0 && kept.length < maxKept) kept.push(...texts)
  }
  process.stdout.write(
    `${target.name}: ${count} executions in ${seconds} s, seed ${seed}, ${reachedPlaces} places reached, ${kept.length} texts kept, no finding\n`,
  )
}

function inTime(work: () => void): void {
  const startMs = workedMs()
  work()
  const tookMs = workedMs() - startMs
  if (tookMs > maxMs) throw new Error(`it took ${tookMs} ms of processor time`)
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
