import { getOrMake, setOrDelete } from "../../../support/maps.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { Rule } from "../../declared/rule.ts"

/** What becomes of a host. */
interface Replaced {
  readonly before: DeclaredHost | undefined
  readonly after: DeclaredHost | undefined
}

/**
 * Hosts on the ports of Ingresses, where HTTP and HTTPS share their routes: what a listener of one of them serves is there for requests by its scheme
 * alone.
 */
export class SharedHosts {
  readonly #hosts = new Map<string, DeclaredHost>()
  readonly #http = new WeakMap<Rule, Rule>()
  readonly #https = new WeakMap<Rule, Rule>()

  /** @param http what the listener of that scheme has of the host; undefined: there is none */
  replace(host: string, http: DeclaredHost | undefined, https: DeclaredHost | undefined): Replaced {
    const before = this.#hosts.get(host)
    const after = this.#joined(http, https)
    setOrDelete(this.#hosts, host, after)
    return { before, after }
  }

  #joined(http: DeclaredHost | undefined, https: DeclaredHost | undefined): DeclaredHost | undefined {
    const first = http ?? https
    if (first === undefined) return undefined
    const byHttp = (http?.rules ?? []).map((rule) => getOrMake(this.#http, rule, () => by("http", rule)))
    const byHttps = (https?.rules ?? []).map((rule) => getOrMake(this.#https, rule, () => by("https", rule)))
    const { clients } = https ?? {}
    return { ...first, rules: [...byHttp, ...byHttps], ...(clients && { clients }) }
  }
}

function by(scheme: "http" | "https", rule: Rule): Rule {
  return { ...rule, conditions: [{ of: "scheme", value: scheme }, ...(rule.conditions ?? [])] }
}
