import { otherName } from "../../../controller/core/annotations/wanted-hosts.ts"
import type { Ingress, IngressPath } from "../../../controller/model/objects/ingress.ts"
import type { ObjectName } from "../../../controller/model/problem.ts"
import { hasPatterns } from "../../lint/patterns.ts"
import type { ReadIngress } from "../../lint/subject.ts"
import { extrasFor } from "./extras.ts"
import { namesFor, ruleHosts, tlsHosts, unknownHost, usualScheme } from "./hosts.ts"
import { type Target, targetsFor } from "./paths.ts"
import type { DiffRequest, Scheme } from "./request.ts"

// In come Ingresses, out go the requests that show how each of their rules, paths and annotations is served. Rules are taken as they are
// written: a path that one side refuses is asked for as well.

/** What other Ingresses say about a host. */
interface Around {
  /** hosts with certificates, as written in tls sections */
  readonly tls: ReadonlySet<string>
  /** hosts whose paths are regular expressions */
  readonly patterns: ReadonlySet<string>
}

/** In the order of the Ingresses. Some may be the same. */
export function derivedRequests(subjects: readonly ReadIngress[]): readonly DiffRequest[] {
  const around: Around = {
    tls: new Set(subjects.flatMap(({ ingress }) => tlsHosts(ingress))),
    patterns: new Set(subjects.filter(hasPatterns).flatMap(({ ingress }) => ruleHosts(ingress))),
  }
  const rules = subjects.flatMap((subject) => ofIngress(subject, around))
  return subjects.length === 0 ? [] : [...rules, ...ofNobody]
}

const ofNobody: readonly DiffRequest[] = (["http", "https"] as const).map((scheme) => ({
  scheme,
  host: unknownHost,
  target: "/",
  method: "GET",
  headers: {},
  about: "a host that no rule has",
}))

function ofIngress(subject: ReadIngress, around: Around): readonly DiffRequest[] {
  const { ingress } = subject
  const rules = ingress.rules.length > 0 ? ingress.rules : [{ host: "" }]
  return rules.flatMap(({ host: written, paths = [] }) => {
    const host = written.toLowerCase()
    const all = paths.length > 0 ? paths : [anything]
    return [...ofPaths(host, all, subject, around), ...otherNames(host, all, subject, around)]
  })
}

/** A rule without paths. */
const anything: Pick<IngressPath, "path" | "pathType"> = { path: "/", pathType: "Prefix" }

type Paths = readonly Pick<IngressPath, "path" | "pathType">[]

function ofPaths(host: string, paths: Paths, subject: ReadIngress, around: Around): readonly DiffRequest[] {
  const [name = "", ...others] = namesFor(host)
  const scheme = usualScheme(host, around.tls)
  const make = maker(subject.ingress, scheme)
  const targets = paths.flatMap((path) => targetsFor(path as IngressPath, around.patterns.has(host)))
  const [first = { target: "/", about: "" }] = targets
  return [
    ...targets.map((target) => make(name, target)),
    ...plainTargets(paths, around, host).map((target) => ({
      ...make(name, target),
      scheme: otherScheme(scheme),
      about: `${target.about}, by ${otherScheme(scheme)}`,
    })),
    ...others.map((other) => make(other, { target: first.target, about: `wildcard: ${other}` })),
    ...(hasAppRoot(subject) ? [make(name, { target: "/", about: "app root" })] : []),
    ...extrasFor(subject).map(({ query = "", about, ...extra }) => ({
      ...make(name, { target: first.target + query, about }),
      ...extra,
    })),
  ]
}

/** Of each path the first target. */
function plainTargets(paths: Paths, { patterns }: Around, host: string): readonly Target[] {
  return paths.flatMap((path) => targetsFor(path as IngressPath, patterns.has(host)).slice(0, 1))
}

/** Aliases, and the name that `from-to-www-redirect` is about. */
function otherNames(
  host: string,
  [path]: Paths,
  { ingress, values }: ReadIngress,
  around: Around,
): readonly DiffRequest[] {
  if (path === undefined || host === "" || host.startsWith("*.")) return []
  const { aliases = [], redirectsWww = false } = values.routing
  const [target] = targetsFor(path as IngressPath, around.patterns.has(host))
  if (target === undefined) return []
  const names = [
    ...aliases.map((name) => ({ name: namesFor(name)[0] ?? name, about: "alias" })),
    ...(redirectsWww ? [{ name: otherName(host), about: "redirect to or from www" }] : []),
  ]
  return names.flatMap(({ name, about }) =>
    (["http", "https"] as const).map((scheme) =>
      maker(ingress, scheme)(name, { target: target.target, about: `${about}, by ${scheme}` }),
    ),
  )
}

function maker(ingress: Ingress, scheme: Scheme) {
  const { namespace, name } = ingress.meta
  const object: ObjectName = { kind: "Ingress", namespace, name }
  return (host: string, { target, about }: Target): DiffRequest => ({
    scheme,
    host,
    target,
    method: "GET",
    headers: {},
    about,
    ingress: object,
  })
}

function otherScheme(scheme: Scheme): Scheme {
  return scheme === "http" ? "https" : "http"
}

function hasAppRoot({ annotations }: ReadIngress): boolean {
  return annotations.has("app-root")
}
