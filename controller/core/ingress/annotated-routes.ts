import { annotationPath } from "../../model/field-path.ts"
import type { Meta } from "../../model/objects/meta.ts"
import { nameOf } from "../../model/objects/object.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import { routeSourceName } from "../../model/route-source.ts"
import { clientCertificateAnnotations } from "../annotations/client-certificates.ts"
import { idleOnRoutes } from "../annotations/on-routes.ts"
import { routingAnnotations } from "../annotations/routing.ts"
import { snippetAnnotations } from "../annotations/snippets.ts"
import { closedAccess, type RouteAccess } from "../declared/access.ts"
import { complaint } from "../declared/problems.ts"
import type { Said, SaidReader, SaidWorld } from "../declared/said.ts"
import type { Context } from "../options/context.ts"
import type { Settings } from "../options/settings.ts"
import { type Reading, readIngress } from "./read/read-ingress.ts"
import { type SharedParts, sharedParts } from "./read/shared-parts.ts"

type Annotatable = Parameters<SaidReader["of"]>[0]

interface Kept {
  readonly hostnames: Annotatable["hostnames"]
  readonly reading: Reading
  readonly annotated: Said
}

/**
 * The annotations of objects that are no Ingresses, read as those of one without rules: what they say of its requests is what they say of all of the
 * object's. What is said of hosts, paths and canaries these objects have words of their own for; where that may keep requests out, the object is closed.
 */
export class AnnotatedRoutes implements SaidReader {
  readonly #context: Context
  readonly #shared: SharedParts
  readonly #kept = new WeakMap<Meta, Kept>()
  /** what is said of hosts, paths and canaries, by key: its name */
  readonly #idle: ReadonlyMap<string, string>

  constructor(context: Context) {
    this.#context = { ...context, settings: withoutHttps(context.settings) }
    this.#shared = sharedParts(this.#context)
    this.#idle = idleKeys(context.options.annotationsPrefix)
  }

  of(route: Annotatable, objects: SaidWorld): Said {
    const before = this.#kept.get(route.meta)
    const isSame = before !== undefined && before.hostnames === route.hostnames
    if (isSame && before.reading.lookups.isSameIn(objects)) return before.annotated
    const after = this.#read(route, objects)
    this.#kept.set(route.meta, after)
    return after.annotated
  }

  #read(route: Annotatable, objects: SaidWorld): Kept {
    const { kind, meta, hostnames } = route
    // A name that no Ingress has: what is counted for one is not counted for the other.
    const name = routeSourceName({ kind, name: meta.name })
    const annotations = Object.fromEntries(
      Object.entries(meta.annotations).filter(([key]) => !this.#idle.has(key)),
    )
    const written = { kind: "Ingress", meta: { ...meta, name, annotations }, rules: [], tls: [] } as const
    const reading = readIngress(written, this.#context, objects, this.#shared, hostnames)
    const { root, problems } = reading.parsed
    const { proxying, script, balancing } = root
    const object = nameOf(route)
    const access = askedFor(root.access, object)
    const isOpen = !Object.keys(meta.annotations).some((key) => guards.has(this.#idle.get(key) ?? ""))
    const annotated: Said = {
      ...{ proxying, access: isOpen ? access : closedAccess, loadBalancing: balancing.loadBalancing },
      filters: reading.filters.of,
      ...(script && { script }),
      ...(balancing.affinity && { affinity: balancing.affinity }),
      problems: [...problems.map((problem) => ({ ...problem, object })), ...this.#idleIn(route)],
    }
    return { hostnames, reading, annotated }
  }

  #idleIn(route: Annotatable): readonly Problem[] {
    const object = nameOf(route)
    return Object.keys(route.meta.annotations).flatMap((key) => {
      const name = this.#idle.get(key)
      if (name === undefined) return []
      const instead = guards.get(name)
      return instead === undefined
        ? complaint(object, annotationPath(key), "annotation-idle", idleText(name))
        : complaint(object, annotationPath(key), "annotation-guard-closes", guardText(name, instead))
    })
  }
}

/** A route is for the listeners that it names: it is led to HTTPS where it says so itself. */
function withoutHttps(settings: Settings): Settings {
  return { ...settings, sslRedirect: false, forceSslRedirect: false }
}

/** With whose the question is: that of the settings is theirs. */
function askedFor(access: RouteAccess, object: ObjectName): RouteAccess {
  const { external } = access
  if (external === undefined || external.object.kind !== "Ingress") return access
  return { ...access, external: { ...external, object } }
}

function idleText(name: string): string {
  const instead =
    name === routingAnnotations.sslRedirect.name
      ? `"${routingAnnotations.forceSslRedirect.name}" leads its requests to HTTPS`
      : "its matches, filters and weights say that, or its Gateway"
  return `Annotation "${name}" has no effect on a route: ${instead}`
}

function guardText(name: string, instead: string): string {
  return `Annotation "${name}" is about hosts, which a route does not own, and may be there to keep requests out: all requests of the route get 503; ${instead}`
}

/** What of hosts may keep requests out, and what to write in its place. */
const guards: ReadonlyMap<string, string> = new Map([
  [clientCertificateAnnotations.secret.name, "have the Gateway ask for certificates (spec.tls.frontend)"],
  [snippetAnnotations.ofHosts.name, "write what it says into filters, or into a configuration-snippet"],
])

function idleKeys(prefix: string): ReadonlyMap<string, string> {
  const ofName = (name: string) =>
    [`${prefix}/${name}`, `wick.dev/${name}`].map((key) => [key, name] as const)
  return new Map([...idleOnRoutes].flatMap(ofName))
}
