/** A map that forgets what nobody has asked for in a while: it has at least the half of its maximum that was asked for last. */
export class Recent<V> {
  readonly #max: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  constructor(max: number) {
    this.#max = max
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: V): void {
    this.#young.set(key, value)
    if (this.#young.size < this.#max / 2) return
    this.#old = this.#young
    this.#young = new Map()
  }
}
