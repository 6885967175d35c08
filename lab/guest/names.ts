/** What foreign functions are found by without making a string of their names, which lie in the guest's memory. */

export class Names<T> {
  /** By length and the character that tells names of one length apart. */
  readonly #table: ({ readonly name: Uint8Array; readonly value: T } | undefined)[]
  readonly #character: number

  constructor(values: Readonly<Record<string, T>>) {
    const names = Object.keys(values)
    const shortest = Math.min(...names.map(({ length }) => length))
    const places = Array.from({ length: shortest }, (_, place) => place)
    const character = places.find(
      (place) => new Set(names.map((name) => signatureOf(name, place))).size === names.length,
    )
    if (character === undefined) throw new Error(`No character tells these names apart: ${names.join(", ")}`)
    this.#character = character
    this.#table = Array.from({ length: 32 << 8 }, () => undefined)
    for (const [name, value] of Object.entries(values))
      this.#table[signatureOf(name, character)] = { name: Buffer.from(name), value }
  }

  /** What has this name; nothing if there is none. */
  find(memory: Uint8Array, at: number, length: number): T | undefined {
    const found = this.#table[signature(length, memory[at + this.#character] as number)]
    if (found?.name.length !== length) return undefined
    for (let i = 0; i < length; i++) if (memory[at + i] !== found.name[i]) return undefined
    return found.value
  }
}

function signature(length: number, character: number): number {
  return ((length & 31) << 8) | character
}

function signatureOf(name: string, place: number): number {
  return signature(name.length, name.charCodeAt(place))
}
