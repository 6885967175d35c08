// The laboratory's lean slots do what the strict ones of the fake host do, whatever comes.
import fc from "fast-check"
import { expect, test } from "vitest"
import { Slots as Lean } from "../../lab/host/slots.ts"
import { Slots as Strict } from "../balancer/slots.ts"

const MOST = 5
const ids = fc.uniqueArray(fc.bigInt({ min: 0n, max: 4n }), { maxLength: 5 })
const key = fc.constantFrom("a", "b")
const id = fc.bigInt({ min: 0n, max: 4n })
const cell = fc.constantFrom(0, 3)
const number = fc.constantFrom(0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 64n - 1n)
const process = fc.integer({ min: 0, max: 1 })
const command = fc.oneof(
  fc.record({ kind: fc.constant("open" as const), key, ids }),
  fc.record({ kind: fc.constant("release" as const), key }),
  fc.record({ kind: fc.constant("add" as const), key, id, cell, number }),
  fc.record({ kind: fc.constant("count" as const), key, id, process, by: fc.constantFrom(-1n, 1n) }),
  fc.record({ kind: fc.constant("swap" as const), key, id, cell, number, isRight: fc.boolean() }),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

const GAUGE = 4
const words = new Uint32Array(6)
const memory = new BigUint64Array(words.buffer)
/** Words of these numbers, as the filter has them in its memory. */
function given(...numbers: readonly bigint[]): Uint32Array {
  memory.set(numbers)
  return words
}

/** Both, and the numbers that they gave for the ids of each key: also those of slots that were released since. */
class Pair {
  readonly #lean = new Lean(MOST)
  readonly #strict = new Strict(MOST)
  readonly #parts = [this.#lean.join(), this.#lean.join()]
  readonly #processes = [{}, {}]
  readonly #numbers = new Map<string, readonly [bigint, bigint]>()

  run(command: Command): void {
    const [lean, strict] = this.#answers(command)
    expect(lean).toEqual(strict)
    for (const [lean, strict] of this.#numbers.values()) {
      for (let cell = 0; cell <= GAUGE; cell++) {
        this.#lean.get(cell, given(lean, 0n), 0, 1)
        expect(memory[1]).toBe(this.#strict.get(strict, cell))
      }
    }
  }

  #answers(command: Command): readonly [unknown, unknown] {
    if (command.kind === "open") return this.#open(command.key, command.ids)
    if (command.kind === "release")
      return [this.#lean.release(command.key), this.#strict.release(command.key)]
    const [lean, strict] = this.#numbers.get(`${command.key}/${command.id}`) ?? [0n, 0n]
    if (command.kind === "swap") return this.#swap(lean, strict, command)
    const [cell, by, process] =
      command.kind === "add"
        ? [command.cell, command.number, 0]
        : [GAUGE, BigInt.asUintN(64, command.by), command.process]
    const isAdded = this.#lean.add(cell, given(lean, by), 0, this.#parts[process] as Float64Array)
    return [
      isAdded ? memory[1] : undefined,
      this.#strict.add(this.#processes[process] as object, strict, cell, by),
    ]
  }

  #open(key: string, ids: readonly bigint[]): readonly [unknown, unknown] {
    const places = BigUint64Array.from(ids)
    const [lean, strict] = [this.#lean.open(key, places), this.#strict.open(key, ids)]
    for (const [i, id] of ids.entries()) {
      const [ofLean, ofStrict] = [places[i], strict?.[i]]
      if (ofLean !== undefined && ofStrict !== undefined)
        this.#numbers.set(`${key}/${id}`, [ofLean, ofStrict])
    }
    return [lean, strict !== undefined]
  }

  #swap(lean: bigint, strict: bigint, { cell, number, isRight }: Command & { kind: "swap" }) {
    const present = this.#strict.get(strict, cell)
    const expected = isRight ? present : present ^ 1n
    const isSwapped = this.#lean.swap(cell, given(lean, expected, number), 0)
    const before = this.#strict.swap(strict, cell, expected, number)
    return [isSwapped === undefined ? undefined : memory[1], before] as const
  }
}

test("whatever is opened, added, swapped and released, both say the same", () => {
  const commands = fc.array(command, { minLength: 40, maxLength: 60, size: "max" })
  fc.assert(
    fc.property(commands, (commands) => {
      const pair = new Pair()
      for (const command of commands) pair.run(command)
    }),
    { numRuns: 300 },
  )
})
