import type { Live } from "../../model/model.ts"
import type { Item } from "./wire.ts"

/** Kinds of which TLS hosts name things by their ids. */
const isNamed: ReadonlySet<Item["kind"]> = new Set(["certificates", "authorities", "staples"])

/**
 * What must wait in a change of which something was refused: a TLS host whose new certificate was refused stays as it is, rather than be
 * served with another's, and so does what it names.
 */
export class HeldBack {
  readonly #running: Live
  readonly #refusedCertificates = new Set<string>()
  /** ids of what TLS hosts in force still name */
  readonly #needed = new Set<string>()

  /** @param running what was in force before the change */
  constructor(running: Live) {
    this.#running = running
  }

  /** Notes what was refused. */
  note(items: readonly Item[]): void {
    for (const item of items) this.#note(item)
  }

  /** Those that have to wait; what is set comes before what is removed. */
  waiting(items: readonly Item[]): Item[] {
    const waiting: Item[] = []
    for (const item of items) {
      if (!this.#waits(item)) continue
      this.#note(item)
      waiting.push(item)
    }
    return waiting
  }

  #note({ kind, verb, name }: Item): void {
    if (kind === "certificates" && verb === "set") this.#refusedCertificates.add(name)
    if (kind === "tlsHosts") this.#keep(name)
  }

  #waits({ kind, verb, name, needs = [] }: Item): boolean {
    if (verb === "set") return needs.some((id) => this.#refusedCertificates.has(id))
    return isNamed.has(kind) && this.#needed.has(String(name))
  }

  #keep(name: string): void {
    const { certificates = [], clientCertificate } =
      this.#running.tlsHosts.find(({ host }) => host === name) ?? {}
    for (const id of certificates) this.#needed.add(id)
    if (clientCertificate) this.#needed.add(clientCertificate.authority)
  }
}
