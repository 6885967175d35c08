import { readFile } from "node:fs/promises"
import { lookup, type Outcome } from "./lookup.ts"
import { type Query, queryOf } from "./query.ts"
import { parseResolvConf, type ResolvConf } from "./resolv-conf.ts"

/** How old what was read of resolv.conf may be. */
const freshMs = 5000

/** What a lookup has to know besides the name; as in lookup.ts. */
export interface Asked {
  readonly withIpv6: boolean
  readonly foundAs: string | undefined
}

/** DNS as a resolv.conf describes it; a change of that file is noticed within seconds. */
export class Dns {
  readonly #path: string
  #readMs = Number.NEGATIVE_INFINITY
  #text: string | undefined
  #conf: ResolvConf = parseResolvConf("")
  #queries = new Map<boolean, Query>()

  /** @param path of resolv.conf; as for the C library, one that cannot be read means a server on this machine */
  constructor(path: string) {
    this.#path = path
  }

  /** Never rejects. */
  async lookup(name: string, { withIpv6, foundAs }: Asked): Promise<Outcome> {
    await this.#refresh()
    const query = this.#queries.get(withIpv6) ?? queryOf(this.#conf, withIpv6)
    this.#queries.set(withIpv6, query)
    return lookup(name, { query, conf: this.#conf, withIpv6, foundAs })
  }

  async #refresh(): Promise<void> {
    if (performance.now() - this.#readMs < freshMs) return
    this.#readMs = performance.now()
    const text = await readFile(this.#path, "utf8").catch(() => "")
    if (text === this.#text) return
    this.#text = text
    this.#conf = parseResolvConf(text)
    this.#queries = new Map()
  }
}
