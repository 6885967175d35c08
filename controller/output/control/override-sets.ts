import type { Overrides } from "../../model/overrides.ts"
import type { Host, Route } from "../../model/route.ts"
import { backendTlsOf } from "./wire-route.ts"

// A worker keeps a copy of a location's settings for each different set of numbers that routes put in their place, and a context for each way to
// speak TLS to backends, until the next reload: nginx cannot give such memory back earlier. Here it is counted how many there may be.

/** So many, of 2 to 5 KB each, are worth a reload if most of them are of the past. The module takes four times as many. */
const maxSets = 16_384

/** Of so many errors with a page the copies take as much as of another set (nginx/ingress/src/routes/error_pages.rs). */
const pagesInSet = 50

/** Another way to speak TLS to backends has a context of OpenSSL's, which takes as much as so many (nginx/ingress/src/routes/overrides.rs). */
const setsInTls = 8

export class OverrideSets {
  #sets = new Set<string>()
  /** how many they count as */
  #weight = 0
  #routes = new WeakSet<Route>()
  #limit: number

  /** @param limit for tests */
  constructor(limit = maxSets) {
    this.#limit = limit
  }

  /** Hosts are set: workers may make copies for their routes. */
  note(hosts: readonly Host[]): void {
    for (const { routes } of hosts) for (const route of routes) this.#note(route)
  }

  get areTooMany(): boolean {
    return this.#weight > this.#limit
  }

  /** There was a reload: from now on only those in force count. Twice as many may come before the next is worth it. */
  reloaded(hosts: readonly Host[]): void {
    // Most reloads come long before there are many; then a few too many are counted.
    if (2 * this.#weight <= this.#limit) return
    this.#sets = new Set()
    this.#weight = 0
    this.#routes = new WeakSet()
    this.note(hosts)
    this.#limit = Math.max(this.#limit, 2 * this.#weight)
  }

  #note(route: Route): void {
    if (this.#routes.has(route)) return
    this.#routes.add(route)
    const { location, overrides } = route
    for (const tls of backendTlsOf(route)) this.#add(`TLS ${JSON.stringify(tls)}`, setsInTls)
    if (Object.keys(overrides).length === 0) return
    this.#add(`${location} ${JSON.stringify(overrides)}`, 1 + Math.floor(pagesOf(overrides) / pagesInSet))
  }

  #add(text: string, weight: number): void {
    if (this.#sets.has(text)) return
    this.#sets.add(text)
    this.#weight += weight
  }
}

function pagesOf({ errorPages400, errorPages450, errorPages500, errorPages550 }: Overrides): number {
  const sets = [errorPages400, errorPages450, errorPages500, errorPages550]
  return sets.reduce<number>((sum, set = 0) => sum + set.toString(2).replaceAll("0", "").length, 0)
}
