// What a pick takes, in a process of its own: `measure.ts FILE.wasm ENDPOINTS PICKS` prints JSON; `nothing` in the place of the file is a policy that declines at
// once, which shows what the host takes. The counterpart of lab/bench/measure.ts.
import { median } from "../../harness/statistics.ts"
import { Backend } from "./backend.ts"
import { describe, requestOf } from "./description.ts"
import { type Asked, Instance } from "./instance.ts"
import { compiled, subjectOf } from "./subject.ts"

const WARM_UP = 100_000
const ROUNDS = 5
/** Picks that are timed together. */
const BATCH = 128
const REQUESTS = 1024

const [file = "", count = "10", picks = "200000"] = process.argv.slice(2)
/** (module (memory (export "memory") 1) (func (export "proxy_on_upstream_select") (param i32))) */
const nothing = "AGFzbQEAAAABBQFgAX8AAwIBAAUDAQABByUCBm1lbW9yeQIAGHByb3h5X29uX3Vwc3RyZWFtX3NlbGVjdAAACgQBAgAL"
const subject =
  file === "nothing"
    ? { file, wasm: new Uint8Array(Buffer.from(nothing, "base64")), description: describe("") }
    : await subjectOf(file)
const instance = new Instance(compiled(subject), 1)
const endpoints = Array.from({ length: Number(count) }, (_, i) => ({
  address: `10.0.${i >> 8}.${i & 255}:8080`,
}))
const backend = new Backend(endpoints, subject.description.config)
const requests: Asked[] = Array.from({ length: REQUESTS }, (_, i) => requestOf(subject.description, i))

function run(picks: number): { selectNs: number; infoNs: number } {
  const [selects, infos]: [number[], number[]] = [[], []]
  for (let i = 0; i < picks; i += BATCH) {
    const begin = performance.now()
    const chosen = selectBatch(i)
    const between = performance.now()
    for (const [slot, note] of chosen) instance.end(backend, ended(slot, note))
    selects.push(between - begin)
    infos.push(performance.now() - between)
  }
  const ns = (batches: readonly number[]) => (median(batches) * 1e6) / BATCH
  return { selectNs: ns(selects), infoNs: ns(infos) }
}

function selectBatch(first: number): (readonly [number, readonly [number, number]])[] {
  const chosen: (readonly [number, readonly [number, number]])[] = []
  for (let i = first; i < first + BATCH; i++) {
    instance.nowNs += 1000
    const { slot, note } = instance.select(backend, requests[i % REQUESTS] as Asked)
    if (slot < 0) continue
    instance.begin(backend, slot)
    chosen.push([slot, note])
  }
  return chosen
}

const ended = (slot: number, note: readonly [number, number]) =>
  ({ slot, note, attempt: 0, outcome: 0, status: 200, firstByteNs: 1e6 }) as const

run(WARM_UP)
const rounds = Array.from({ length: ROUNDS }, () => run(Number(picks)))
process.stdout.write(`${JSON.stringify(rounds)}\n`)
