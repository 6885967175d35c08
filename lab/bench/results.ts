/** Runs the measurements, each in a process of its own, and puts them together. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { nodeBinary } from "../../harness/paths.ts"
import { median } from "../../harness/statistics.ts"
import type { Control, Measurements, Moved, Spread } from "./measure.ts"
import type { Subject } from "./subjects.ts"

export interface Plan {
  readonly subjects: readonly Subject[]
  readonly sizes: readonly number[]
  /** Sizes at which choices are counted, not timed. */
  readonly countedSizes: readonly number[]
  /** Picks of a timed round; the other measurements scale with it. */
  readonly picks: number
  /** How often all is timed, the subjects taking turns: a time of noise then spoils no subject alone. */
  readonly repeats: number
}

export interface Results {
  /** of a timed round */
  readonly picks: number
  readonly subjects: readonly SubjectResult[]
  readonly control: Control
}

export interface SubjectResult {
  readonly subject: Subject
  readonly timed: readonly Timed[]
  /** Of the backend, whatever a request brings: nothing where another subject has the same one. */
  readonly sized: readonly Sized[]
  readonly counted: readonly Counted[]
}

/** Nanoseconds: the best round, since other programs only ever add. */
export interface Timed {
  readonly endpoints: number
  /** The whole callback: filter, host in Node, the borders between them. */
  readonly wholeNs: number
  /** The median round of the same. */
  readonly medianNs: number
  /** Of that the host and the borders, measured with an empty filter. */
  readonly hostNs: number
  /** The rest; 0 or less where there were too few picks to tell the two apart. */
  readonly filterNs: number
  /** Of info, where it is wanted. */
  readonly info: { readonly wholeNs: number; readonly hostNs: number; readonly filterNs: number } | undefined
}

export interface Sized {
  readonly endpoints: number
  /** The best round. */
  readonly updateNs: number
  readonly bytesPerEndpoint: number
}

export interface Counted {
  readonly endpoints: number
  readonly spread: Spread
  readonly moved: Moved | undefined
}

/** @param tell is told what is about to be measured */
export async function run(plan: Plan, tell: (what: string) => void): Promise<Results> {
  const times = new Map<string, Rounds>()
  for (let repeat = 0; repeat < plan.repeats; repeat++) {
    for (const endpoints of plan.sizes) {
      for (const subject of plan.subjects) {
        tell(`${repeat + 1}/${plan.repeats}: ${subject.name}, ${endpoints} endpoints`)
        await time(subject, endpoints, plan.picks, roundsOf(times, subject, endpoints))
      }
    }
  }
  const subjects: SubjectResult[] = []
  for (const subject of plan.subjects) {
    tell(`${subject.name}: memory, spread, keys`)
    const rounds = (endpoints: number) => roundsOf(times, subject, endpoints)
    const timed = plan.sizes.map((endpoints) => ({ endpoints, ...summary(rounds(endpoints)) }))
    const [sized, counted] = [[] as Sized[], [] as Counted[]]
    if (hasOwnBackend(subject)) {
      for (const endpoints of plan.sizes) sized.push(await size(subject, endpoints, rounds(endpoints)))
      for (const endpoints of plan.countedSizes) counted.push(await count(subject, endpoints, plan.picks))
    }
    subjects.push({ subject, timed, sized, counted })
  }
  const control = await measure("control", plan.subjects[0] as Subject, 10, plan.picks)
  return { picks: plan.picks, subjects, control }
}

/** Only its requests tell one that gets new cookies from the one that gets them sent. */
const hasOwnBackend = ({ cookie }: Subject) => cookie !== "new"

/** What was measured of one subject at one size, in all repeats. */
interface Rounds {
  readonly picks: number[]
  readonly hostPicks: number[]
  readonly infos: number[]
  readonly hostInfos: number[]
  readonly updates: number[]
}

function roundsOf(times: Map<string, Rounds>, { name }: Subject, endpoints: number): Rounds {
  const key = `${name}/${endpoints}`
  const rounds = times.get(key) ?? { picks: [], hostPicks: [], infos: [], hostInfos: [], updates: [] }
  times.set(key, rounds)
  return rounds
}

async function time(subject: Subject, endpoints: number, picks: number, rounds: Rounds): Promise<void> {
  for (const { selectNs, infoNs } of await measure("picks", subject, endpoints, picks)) {
    rounds.picks.push(selectNs)
    if (infoNs !== undefined) rounds.infos.push(infoNs)
  }
  for (const { selectNs, infoNs } of await measure("host", subject, endpoints, picks)) {
    rounds.hostPicks.push(selectNs)
    if (infoNs !== undefined) rounds.hostInfos.push(infoNs)
  }
  if (hasOwnBackend(subject)) rounds.updates.push(...(await measure("update", subject, endpoints, picks)))
}

function summary({ picks, hostPicks, infos, hostInfos }: Rounds): Omit<Timed, "endpoints"> {
  const info = infos.length > 0 ? split(infos, hostInfos) : undefined
  return { ...split(picks, hostPicks), medianNs: median(picks), info }
}

async function size(subject: Subject, endpoints: number, { updates }: Rounds): Promise<Sized> {
  const bytesPerEndpoint = await measure("memory", subject, endpoints, 0)
  return { endpoints, updateNs: Math.min(...updates), bytesPerEndpoint }
}

/** Of the whole the host's share, and the rest. */
function split(whole: readonly number[], host: readonly number[]) {
  const [wholeNs, hostNs] = [Math.min(...whole), Math.min(...host)]
  return { wholeNs, hostNs, filterNs: wholeNs - hostNs }
}

async function count(subject: Subject, endpoints: number, picks: number): Promise<Counted> {
  // A hundred for each endpoint at least, so that chance does not hide what is uneven.
  const spread = await measure("spread", subject, endpoints, Math.max(picks, 100 * endpoints))
  const moved = subject.isKeyed
    ? await measure("moved", subject, endpoints, Math.ceil(picks / 10))
    : undefined
  return { endpoints, spread, moved }
}

const script = join(import.meta.dirname, "measure.ts")

async function measure<W extends keyof Measurements>(
  what: W,
  { name }: Subject,
  endpoints: number,
  picks: number,
): Promise<Measurements[W]> {
  const { stdout } = await promisify(execFile)(nodeBinary, [
    script,
    what,
    name,
    String(endpoints),
    String(picks),
  ])
  return JSON.parse(stdout) as Measurements[W]
}
