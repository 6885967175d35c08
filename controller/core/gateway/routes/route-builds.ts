import type { GatewayRoute } from "../../../model/objects/object.ts"
import type { Service } from "../../../model/objects/service.ts"
import type { KeyPair } from "../../../model/tls-secret.ts"
import { compact } from "../../../support/compact.ts"
import type { Said } from "../../declared/said.ts"
import type { Grants } from "../grants.ts"
import { type BuiltStream, buildStream, type StreamRoute } from "../streams/stream-build.ts"
import type { Policies, ReadPolicy } from "../tls/policies.ts"
import { type BuiltRoute, buildRoute } from "./built-route.ts"
import type { WebRoute } from "./read-route.ts"
import { Ways } from "./ways.ts"

/** Where routes are built. */
export interface BuildPlace {
  readonly services: ReadonlyMap<string, Service>
  readonly grants: Grants
  readonly policies: Policies
  /** what annotations say */
  readonly annotated: (route: GatewayRoute) => Said
}

/** What one route is built with; what it asks for is noted. */
interface Asking {
  readonly grants: Grants
  readonly service: (name: string) => Service | undefined
  readonly policy: (service: string, portName: string) => ReadPolicy | undefined
  readonly annotated: Said
  readonly pair?: KeyPair
}

interface Kept<B> {
  readonly built: B
  readonly annotated: Said
  readonly grants: Grants
  readonly services: readonly (readonly [name: string, service: Service | undefined])[]
  readonly policies: readonly (readonly [service: string, portName: string, policy: ReadPolicy | undefined])[]
}

/** Backends are shown no certificate. */
const noPair = {}

/** What each route was built to, by its identity: one is built anew when it, a grant, or a Service or policy of its backends has changed. */
class Builds<R extends GatewayRoute, B> {
  /** for each certificate that backends are shown, as long as a Gateway shows it; nearly always there is none */
  readonly #kept = new WeakMap<R, WeakMap<object, Kept<B>>>()
  readonly #build: (route: R, asking: Asking) => B

  constructor(build: (route: R, asking: Asking) => B) {
    this.#build = build
  }

  /** @param pair what backends are shown that ask for a certificate; the same object while it is the same */
  of(route: R, place: BuildPlace, pair?: KeyPair): B {
    const kept = this.#kept.get(route) ?? new WeakMap<object, Kept<B>>()
    this.#kept.set(route, kept)
    const before = kept.get(pair ?? noPair)
    const annotated = place.annotated(route)
    if (before?.annotated === annotated && isSame(before, place)) return before.built
    const after = this.#make(route, place, annotated, pair)
    kept.set(pair ?? noPair, after)
    return after.built
  }

  #make(
    route: R,
    { services, grants, policies }: BuildPlace,
    annotated: Said,
    pair: KeyPair | undefined,
  ): Kept<B> {
    const asked: [string, Service | undefined][] = []
    const judged: [string, string, ReadPolicy | undefined][] = []
    const built = this.#build(route, {
      grants,
      service: (name) => {
        const service = services.get(name)
        asked.push([name, service])
        return service
      },
      policy: (service, portName) => {
        const policy = policies.of(service, portName)
        judged.push([service, portName, policy])
        return policy
      },
      annotated,
      ...(pair && { pair }),
    })
    return { built, annotated, grants, services: compact(asked), policies: compact(judged) }
  }
}

function isSame<B>(before: Kept<B>, { services, grants, policies }: BuildPlace): boolean {
  return (
    before.grants === grants &&
    before.services.every(([name, service]) => services.get(name) === service) &&
    before.policies.every(([service, portName, policy]) => policies.of(service, portName) === policy)
  )
}

/** The routes that were built, kept from pass to pass. */
export class RouteBuilds {
  readonly web: Builds<WebRoute, BuiltRoute>
  readonly streams = new Builds<StreamRoute, BuiltStream>(buildStream)

  constructor() {
    const ways = new Ways()
    this.web = new Builds((route, asking) => buildRoute(route, { ...asking, ways }))
  }
}
