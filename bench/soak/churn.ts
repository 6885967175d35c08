import { setTimeout as pause } from "node:timers/promises"
import { ingress, listOf, manifest } from "../../harness/manifests.ts"
import { isRunning, signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import type { Ledger } from "./ledger.ts"
import type { Stage } from "./stage.ts"

export interface Churn {
  readonly names: readonly string[]
  stop(): Promise<void>
  /** What was done how often. */
  summary(): string
}

interface Change {
  readonly name: string
  readonly everyMs: number
  readonly make: (stage: Stage, round: number, ledger: Ledger) => void | Promise<void>
}

const changes: readonly Change[] = [
  { name: "endpoints come and go", everyMs: 500, make: (stage, round) => stage.scale(1 + ((round * 3) % 4)) },
  {
    name: "numbers of routes and the weight of a canary change",
    everyMs: 1_300,
    make: (stage, round) => stage.change(round),
  },
  {
    name: "users, addresses, limits and the authentication service change",
    everyMs: 900,
    make: (stage, round) => stage.guard(round),
  },
  { name: "hosts come and go", everyMs: 700, make: host },
  { name: "a certificate is renewed", everyMs: 5_000, make: (stage) => stage.renew() },
  { name: "a zone gets full", everyMs: 290_000, make: fill },
  { name: "nginx reloads", everyMs: 45_000, make: (stage, round) => stage.configure(round + 1) },
  { name: "a worker is killed", everyMs: 31_000, make: killWorker },
  { name: "the controller is killed and started again", everyMs: 110_000, make: killController },
]

/** Everything that changes, each at its own pace, one thing at a time. */
export function churn(stage: Stage, ledger: Ledger): Churn {
  const rounds = new Map(changes.map((change) => [change, 0]))
  const ending = new AbortController()
  let turn: Promise<void> = Promise.resolve()
  const loops = changes.map(async (change) => {
    while (!ending.signal.aborted) {
      await pause(change.everyMs, undefined, { signal: ending.signal }).catch(() => undefined)
      if (ending.signal.aborted) return
      const round = (rounds.get(change) ?? 0) + 1
      rounds.set(change, round)
      turn = turn.then(() => change.make(stage, round, ledger))
      await turn
    }
  })
  return {
    names: changes.map(({ name, everyMs }) => `${name} (every ${everyMs / 1000} s)`),
    stop: async () => {
      ending.abort()
      await Promise.all(loops)
    },
    summary: () =>
      `Done: ${changes.map((change) => `${change.name}, ${rounds.get(change)} times`).join("; ")}.`,
  }
}

function host({ wick }: Stage, round: number): void {
  if (round % 2 === 0) wick.remove("more.yaml")
  else wick.write("more.yaml", manifest(ingress("soak/more", `more-${round}.test/ → web:80`)))
}

/** More than the zone of routes has place for: what does not fit is left out, and goes again. */
async function fill({ wick }: Stage, round: number): Promise<void> {
  const path = (n: number) => `/${"long".repeat(40)}/${round}/${n}`
  const rules = Array.from({ length: 8_000 }, (_, n) => `full.test${path(n)} → web:80`)
  wick.write("full.json", listOf([ingress("soak/full", rules)]))
  const isServed = async () => (await wick.get(path(0), { host: "full.test" })).status === 200
  await until("what fits in to be served", isServed)
  wick.remove("full.json")
  await until("it to be gone", async () => !(await isServed()))
}

async function killWorker({ wick }: Stage, round: number, ledger: Ledger): Promise<void> {
  const workers = wick.workers()
  const victim = workers[round % workers.length]
  if (victim === undefined) return
  ledger.killed()
  signal(victim, "SIGKILL")
  await until("another worker", () => !isRunning(victim) && wick.workers().length >= workers.length)
}

async function killController({ wick }: Stage): Promise<void> {
  await wick.kill()
  await wick.start()
}
