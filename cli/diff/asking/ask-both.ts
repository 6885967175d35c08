import { setTimeout as pause } from "node:timers/promises"
import type { DiffRequest, Scheme } from "../requests/request.ts"
import type { Address, Side } from "../sides.ts"
import type { Answer } from "./answer.ts"
import { type Aspects, aspectsOf, handshakeAspects, handshaken } from "./aspects.ts"
import { compare, compareTimes, type Difference, median, unstableAspects } from "./compare.ts"
import { shakeHands } from "./handshake.ts"
import { type SendOptions, send } from "./send.ts"

/** Both, the old one first. */
export type Sides = readonly [old: Side, now: Side]

/** How a request was answered by both. */
export interface Outcome {
  readonly differences: readonly Difference[]
  /** aspects that one side does not keep to itself: they tell nothing */
  readonly unstable: readonly string[]
  /** neither side has answered, for this reason */
  readonly unanswered?: string
  /** it is refused, or gets no answer, and got one before */
  readonly isRefused: boolean
}

/** Waits for the turn of one more request to each side. */
export type Turn = () => Promise<void>

type Both<T> = readonly [T, T]

/** Asks both sides at the same time, and in turn where their answers differ; some times more where only the new side is slow. */
export async function askBoth(
  request: DiffRequest,
  sides: Sides,
  options: SendOptions,
  turn: Turn,
): Promise<Outcome> {
  const ask = async (order: Order): Promise<Both<Answer>> => {
    await turn()
    return order(sides, request.scheme, (address) => send(request, address, options))
  }
  const aspectsIn = async (order: Order) => aspectsOfBoth(await ask(order), request, sides)
  const answers = await ask(together)
  const aspects = aspectsOfBoth(answers, request, sides)
  const told = await stableIn(aspects, aspectsIn)
  const slower = isOther(told.differences) ? undefined : await slowerAfterAll(answers, () => ask(newFirst))
  return {
    differences: slower === undefined ? told.differences : [...told.differences, slower],
    unstable: told.unstable,
    ...unansweredIn(aspects),
    isRefused: isOther(told.differences) && isServed(answers[0]) && !isServed(answers[1]),
  }
}

/** As `askBoth`, about what the sides show of themselves before any request. */
export async function compareHandshakes(
  host: string,
  sides: Sides,
  options: SendOptions,
  turn: Turn,
): Promise<Outcome> {
  const ask = async (order: Order): Promise<Both<Aspects>> => {
    await turn()
    return order(sides, "https", async (at) => handshakeAspects(await shakeHands(host, at, options)))
  }
  const aspects = await ask(together)
  const told = await stableIn(aspects, ask)
  const isRefused = told.differences.some(({ aspect, was }) => aspect === "answer" && was === handshaken)
  return { ...told, ...unansweredIn(aspects), isRefused }
}

function unansweredIn(aspects: Both<Aspects>): Pick<Outcome, "unanswered"> {
  const isUnanswered = aspects.every(({ size }) => size === 1)
  return isUnanswered ? { unanswered: aspects[0].get("answer") ?? "" } : {}
}

type Order = <T>(sides: Sides, scheme: Scheme, ask: (address: Address) => Promise<T>) => Promise<Both<T>>

const together: Order = (sides, scheme, ask) => {
  const [old, now] = addressesOf(sides, scheme)
  return Promise.all([ask(old), ask(now)])
}

const newFirst: Order = async (sides, scheme, ask) => {
  const [old, now] = addressesOf(sides, scheme)
  const answer = await ask(now)
  return [await ask(old), answer]
}

const oldFirst: Order = async (sides, scheme, ask) => {
  const [old, now] = addressesOf(sides, scheme)
  return [await ask(old), await ask(now)]
}

function addressesOf(sides: Sides, scheme: Scheme): Both<Address> {
  const [old, now] = [sides[0][scheme], sides[1][scheme]]
  if (old === undefined || now === undefined) throw new Error(`A side has no address for ${scheme}`)
  return [old, now]
}

function aspectsOfBoth([old, now]: Both<Answer>, request: DiffRequest, sides: Sides): Both<Aspects> {
  return [aspectsOf(old, request, sides[0]), aspectsOf(now, request, sides[1])]
}

type Told = Pick<Outcome, "differences" | "unstable">

/**
 * What differs however often it is asked. What a backend of both has left of a limit goes to whoever comes first: where one is answered and the other
 * is not, each of them comes first once, the new one once more where it may be a limit of requests in a second.
 */
async function stableIn(
  aspects: Both<Aspects>,
  ask: (order: Order) => Promise<Both<Aspects>>,
): Promise<Told> {
  const found = compare(...aspects)
  if (found.length === 0) return { differences: [], unstable: [] }
  const told = stable(found, aspects, await ask(newFirst))
  if (!isOther(told.differences)) return told
  const again = andThen(told, stable(told.differences, aspects, await ask(oldFirst)))
  if (!mayBeLimited(again.differences)) return again
  await pause(limitMs)
  return andThen(again, stable(again.differences, aspects, await ask(newFirst)))
}

function andThen({ unstable }: Told, next: Told): Told {
  return { ...next, unstable: [...new Set([...unstable, ...next.unstable])].sort() }
}

/** Limits of requests in a second have forgotten what was asked before: so far one side may have come too early each time, and the other just in time. */
const limitMs = 1000

/** Statuses of who has asked too much: nginx's own, and the usual one. */
const limiting: ReadonlySet<string> = new Set(["429", "503"])

function mayBeLimited(differences: readonly Difference[]): boolean {
  return differences.some(
    ({ aspect, was, now }) => aspect === "status" && (limiting.has(was) || limiting.has(now)),
  )
}

/** Where not even the status stays, nothing else tells anything. */
function stable(
  found: readonly Difference[],
  [old, now]: Both<Aspects>,
  [oldAgain, nowAgain]: Both<Aspects>,
): Told {
  const unstable = new Set([...unstableAspects(old, oldAgain), ...unstableAspects(now, nowAgain)])
  const isAll = unstable.has("answer") || unstable.has("status")
  const differences = isAll ? [] : found.filter(({ aspect }) => !unstable.has(aspect))
  return { differences, unstable: differences.length === found.length ? [] : [...unstable].sort() }
}

function isOther(differences: readonly Difference[]): boolean {
  return differences.some(({ aspect }) => aspect === "answer" || aspect === "status")
}

function isServed(answer: Answer): boolean {
  return answer.kind === "received" && answer.status < 400
}

/** How often times are taken before one side is said to be slower. */
const measurements = 5

async function slowerAfterAll(
  answers: Both<Answer>,
  ask: () => Promise<Both<Answer>>,
): Promise<Difference | undefined> {
  const times = timesOf(answers)
  if (times === undefined || compareTimes(...times) === undefined) return undefined
  const all = [times]
  while (all.length < measurements) {
    const more = timesOf(await ask())
    if (more === undefined) return undefined
    all.push(more)
  }
  return compareTimes(median(all.map(([old]) => old)), median(all.map(([, now]) => now)))
}

function timesOf([old, now]: Both<Answer>): Both<number> | undefined {
  if (old.kind === "failed" || now.kind === "failed") return undefined
  return [old.waitMs, now.waitMs]
}
