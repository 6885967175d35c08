/** The numbers that workers share of endpoints: the policy's own, running attempts, average times. As pairs of words: BigInt would cost more than the policy. */
import { KINDS } from "./abi.ts"

const ENDPOINTS = 16_384

/** Endpoints are known by their address: one that goes and comes again begins at 0. */
export class Numbers {
  readonly #words = new Uint32Array(ENDPOINTS * KINDS * 2)
  readonly #slots = new Map<string, number>()
  #last = 0

  /** The place of an endpoint's numbers. */
  slot(address: string): number {
    const known = this.#slots.get(address)
    if (known !== undefined) return known
    const slot = this.#last++ % ENDPOINTS
    this.#words.fill(0, slot * KINDS * 2, (slot + 1) * KINDS * 2)
    this.#slots.set(address, slot)
    return slot
  }

  /** These are left. */
  keep(addresses: ReadonlySet<string>): void {
    for (const address of this.#slots.keys()) if (!addresses.has(address)) this.#slots.delete(address)
  }

  low(slot: number, kind: number): number {
    return this.#words[(slot * KINDS + kind) * 2] as number
  }
  high(slot: number, kind: number): number {
    return this.#words[(slot * KINDS + kind) * 2 + 1] as number
  }

  set(slot: number, kind: number, low: number, high = 0): void {
    const word = (slot * KINDS + kind) * 2
    this.#words[word] = low
    this.#words[word + 1] = high
  }
}
