import { openAccess } from "../../../../controller/core/declared/access.ts"
import type { DeclaredBackend } from "../../../../controller/core/declared/backend.ts"
import { type BackendRef, backendRef } from "../../../../controller/core/declared/backend-ref.ts"
import type {
  Declarations,
  FrontEnd,
  FrontEndFacts,
} from "../../../../controller/core/declared/declarations.ts"
import { noFilters } from "../../../../controller/core/declared/filters.ts"
import type { DeclaredHost } from "../../../../controller/core/declared/host.ts"
import { usualBalancing } from "../../../../controller/core/declared/load-balancing.ts"
import { ruleProblem } from "../../../../controller/core/declared/problems.ts"
import { plainProxying } from "../../../../controller/core/declared/proxying.ts"
import { backendKeys, backendRefs, type Rule } from "../../../../controller/core/declared/rule.ts"
import { type DeclaredTls, noSettings } from "../../../../controller/core/declared/tls.ts"
import { frontEnds, type MakeFrontEnd } from "../../../../controller/core/translate/front-ends.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import { qualifiedName } from "../../../../controller/model/objects/object.ts"
import type { Problem } from "../../../../controller/model/problem.ts"
import type { Snapshot } from "../../../../controller/model/snapshot.ts"
import {
  LastResult,
  rememberedLast,
  sameItems,
} from "../../../../controller/support/incremental/last-result.ts"
import { getOrMake } from "../../../../controller/support/maps.ts"
import { compareText } from "../../../../controller/support/order.ts"
import { meta } from "../../../../harness/objects.ts"

// A family of objects that there is in tests only, as small as one can be: sites. Each is a ConfigMap with a host, rules in lines of
// `/path[?METHOD] → service:port[*weight] …`, and perhaps a Secret. Of two sites with the same path the older has it, then the lesser name, as in the Gateway API.

/** @param name `namespace/name` */
export function site(
  name: string,
  host: string,
  rules: string | readonly string[],
  { secret = "", listener = "main", createdMs = 0 } = {},
): ConfigMap {
  const data = { host, listener, secret, rules: [rules].flat().join("\n") }
  return { kind: "ConfigMap", meta: meta(name, {}, createdMs), data }
}

/** Ingresses first: what both declare is theirs. */
export const twoFrontEnds: readonly MakeFrontEnd[] = [...frontEnds, () => new SiteFrontEnd()]

/** A site that is read by itself. */
interface Site {
  readonly name: string
  readonly createdMs: number
  readonly host: string
  readonly listener: string
  readonly owner: string
  /** `namespace/name`; absent: it has none */
  readonly secret?: string
  readonly rules: readonly Rule[]
}

class SiteFrontEnd implements FrontEnd {
  readonly #sites = rememberedLast<ConfigMap, Site>()
  readonly #last = new LastResult<Declarations>()
  readonly #hosts = new Map<string, DeclaredHost>()
  readonly #backends = new Map<string, DeclaredBackend>()
  readonly #tls = rememberedLast<Site, DeclaredTls>()

  declare({ configMaps }: Snapshot, { tlsSecrets }: FrontEndFacts): Declarations {
    const written = [...configMaps.values()].filter(({ data }) => data.rules !== undefined)
    const sites = written.map((object) => this.#sites(object, [], () => readSite(object))).sort(byPrecedence)
    return this.#last.of([...sites, tlsSecrets], () => this.#merge(sites, tlsSecrets))
  }

  #merge(sites: readonly Site[], secrets: FrontEndFacts["tlsSecrets"]): Declarations {
    const problems: Problem[] = []
    const groups = Map.groupBy(sites, ({ listener, host }) => `${listener} ${host}`)
    const hosts = [...groups].map(([key, group]) => this.#hostOf(key, group, problems))
    const refs = hosts.flatMap(({ rules }) => rules.flatMap(backendRefs))
    const backends = new Map(refs.map((ref) => [ref.key, this.#backendOf(ref)]))
    const certified = new Map(sites.toReversed().map((one) => [one.host, this.#tlsOf(one, secrets)]))
    const byHost = (a: { readonly host: string }, b: { readonly host: string }) => compareText(a.host, b.host)
    return {
      hosts: hosts.sort((a, b) => compareText(a.server, b.server) || byHost(a, b)),
      otherRules: [],
      backends: [...backends.values()].sort((a, b) => compareText(a.name, b.name)),
      tls: [...certified.values()].sort(byHost),
      passthroughs: [],
      listeners: [],
      streams: [],
      problems,
      usesSecret: (name) => sites.some(({ secret }) => secret === name),
      sources: () =>
        sites.flatMap(({ rules }) => {
          const [first] = rules
          return first ? [{ source: first.source, backends: rules.flatMap(backendKeys) }] : []
        }),
    }
  }

  #hostOf(key: string, group: readonly Site[], problems: Problem[]): DeclaredHost {
    const [{ listener: server, host, owner } = { listener: "", host: "", owner: "" }] = group
    const byPath = new Map<string, Rule>()
    for (const rule of group.flatMap(({ rules }) => rules)) {
      const winner = getOrMake(byPath, `${rule.path} ${JSON.stringify(rule.conditions)}`, () => rule)
      const message = `Cannot serve path "${rule.path}": "${qualifiedName(winner.source)}" has it already`
      if (winner !== rule) problems.push(ruleProblem(rule, rule.field, "path-taken", message))
    }
    const rules = [...byPath.values()].sort(
      (a, b) =>
        compareText(a.path, b.path) ||
        Number(a.conditions === undefined) - Number(b.conditions === undefined),
    )
    const before = this.#hosts.get(key)
    if (before !== undefined && before.owner === owner && sameItems(before.rules, rules)) return before
    const fresh = { server, host, owner, rules }
    this.#hosts.set(key, fresh)
    return fresh
  }

  #backendOf(ref: BackendRef): DeclaredBackend {
    return getOrMake(this.#backends, ref.key, () => {
      return { ref, name: ref.key, loadBalancing: usualBalancing, fields: {} }
    })
  }

  #tlsOf(one: Site, secrets: FrontEndFacts["tlsSecrets"]): DeclaredTls {
    const { host, owner, secret } = one
    const state = secret === undefined ? undefined : secrets.get(secret)
    return this.#tls(one, [state], () => {
      const pair = state?.kind === "usable" ? state.secret.pair : undefined
      const pairs = pair && secret !== undefined ? [{ ...pair, secret }] : []
      const server = secret !== undefined && { server: { pairs, secrets: [secret], problems: [] } }
      return { host, owner, ...server, settings: noSettings, problems: [] }
    })
  }
}

function byPrecedence(a: Site, b: Site): number {
  return a.createdMs - b.createdMs || compareText(a.name, b.name)
}

function readSite({ meta: { namespace, name, createdMs }, data }: ConfigMap): Site {
  const { host = "", listener = "", secret = "", rules = "" } = data
  const source = { kind: "Site", namespace, name }
  const lines = rules.split("\n").filter((line) => line !== "")
  return {
    name: qualifiedName(source),
    createdMs,
    host,
    listener,
    owner: namespace,
    ...(secret !== "" && { secret: `${namespace}/${secret}` }),
    rules: lines.map((line, at) => ({
      source,
      field: `rules[${at}]`,
      backendAt: "service",
      match: "prefix",
      filters: noFilters,
      access: openAccess,
      proxying: plainProxying,
      ...readRule(line, namespace),
    })),
  }
}

function readRule(
  line: string,
  namespace: string,
): Pick<Rule, "path"> & Partial<Pick<Rule, "backend" | "split" | "conditions">> {
  const [place = "", to = ""] = line.split(" → ", 2)
  const [path = "", method] = place.split("?", 2)
  const conditions = method === undefined ? undefined : [{ of: "method" as const, value: method }]
  const all = to.split(" ").map((text) => text.split("*", 2))
  const [first, ...others] = all.map(([text = "", weight], at) => {
    return { ref: readRef(text, namespace), weight: Number(weight ?? 1), backendAt: `services[${at}]` }
  })
  return {
    path,
    ...(conditions && { conditions }),
    ...(first && others.length === 0 && { backend: first.ref }),
    ...(first && others.length > 0 && { split: [first, ...others] }),
  }
}

function readRef(text: string, namespace: string): BackendRef {
  const [service = "", port = ""] = text.split(":", 2)
  const ref = backendRef(namespace, service, port)
  return { ...ref, key: `site:${ref.key}` }
}
