import { kinds } from "../../core/plan/kinds.ts"
import type { Live } from "../../model/model.ts"
import type { Item } from "./wire.ts"
import { namedByRoutes, namedByStream } from "./wire-route.ts"

/** Kinds of which hosts, TLS hosts and streams name things by their ids. */
const isNamed: ReadonlySet<Item["kind"]> = new Set([
  "certificates",
  "authorities",
  "staples",
  "addressLists",
  "userLists",
])

/** Kinds without which what names them is not to be there. */
export function isNeeded(kind: Item["kind"]): boolean {
  return isNamed.has(kind) && kind !== "staples"
}

/**
 * What must wait in a change of which something was refused: a TLS host whose new certificate was refused stays as it is, rather than be
 * served with another's, and so does a host whose new list of addresses or users was, until its other routes are set; and with them what they
 * name.
 */
export class HeldBack {
  readonly #running: Live
  /** ids of certificates and lists: hashes, so no two are the same */
  readonly #refused = new Set<string>()
  /** ids of what hosts and TLS hosts in force still name */
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
      if (!this.#waits(item)) {
        // A route that stays as it was names what it named.
        if (item.verb === "set") for (const id of item.needs ?? []) this.#needed.add(id)
        continue
      }
      this.#note(item)
      waiting.push(item)
    }
    return waiting
  }

  #note({ kind, verb, name }: Item): void {
    if (verb === "set" && isNeeded(kind)) this.#refused.add(String(name))
    if (kind === "tlsHosts") this.#keep(name)
    if (kind === "hosts") this.#keepLists(kinds.hosts.keyOf(name))
    if (kind === "streams") this.#keepNamedByStream(name)
  }

  #waits({ kind, verb, name, needs = [] }: Item): boolean {
    if (verb === "set") return needs.some((id) => this.#refused.has(id))
    return isNamed.has(kind) && this.#needed.has(String(name))
  }

  #keepLists(host: string): void {
    const { nameOf, keyOf } = kinds.hosts
    const { routes = [] } = this.#running.hosts.find((running) => keyOf(nameOf(running)) === host) ?? {}
    for (const id of namedByRoutes(routes)) this.#needed.add(id)
  }

  #keepNamedByStream(stream: string): void {
    const running = this.#running.streams.find(({ name }) => name === stream)
    for (const id of running === undefined ? [] : namedByStream(running)) this.#needed.add(id)
  }

  #keep(name: string): void {
    const { certificates = [], clientCertificate } =
      this.#running.tlsHosts.find(({ host }) => host === name) ?? {}
    for (const id of certificates) this.#needed.add(id)
    if (clientCertificate) this.#needed.add(clientCertificate.authority)
  }
}
