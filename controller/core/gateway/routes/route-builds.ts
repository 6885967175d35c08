import type { GatewayRoute } from "../../../model/objects/object.ts"
import type { Service } from "../../../model/objects/service.ts"
import type { Settings } from "../../options/settings.ts"
import type { Grants } from "../grants.ts"
import { type BuiltStream, buildStream, type StreamRoute } from "../streams/stream-build.ts"
import { type BuiltRoute, buildRoute, type RouteWorld } from "./built-route.ts"
import type { WebRoute } from "./read-route.ts"
import { Ways } from "./ways.ts"

type Services = ReadonlyMap<string, Service>

interface Kept<B> {
  readonly built: B
  readonly grants: Grants
  /** that it asked for */
  readonly services: readonly (readonly [name: string, service: Service | undefined])[]
}

/** What each route was built to, by its identity: one is built anew when it, a grant or a Service that it names has changed. */
class Builds<R extends GatewayRoute, B> {
  readonly #kept = new WeakMap<R, Kept<B>>()
  readonly #build: (route: R, world: BuildWorld) => B

  constructor(build: (route: R, world: BuildWorld) => B) {
    this.#build = build
  }

  of(route: R, services: Services, grants: Grants): B {
    const before = this.#kept.get(route)
    if (before !== undefined && before.grants === grants && isSame(before, services)) return before.built
    const asked = new Map<string, Service | undefined>()
    const service = (name: string) => {
      asked.set(name, services.get(name))
      return services.get(name)
    }
    const built = this.#build(route, { grants, service })
    this.#kept.set(route, { built, grants, services: [...asked] })
    return built
  }
}

type BuildWorld = Omit<RouteWorld, "ways">

function isSame<B>({ services: asked }: Kept<B>, services: Services): boolean {
  return asked.every(([name, service]) => services.get(name) === service)
}

/** The routes that were built, kept from pass to pass. */
export class RouteBuilds {
  readonly web: Builds<WebRoute, BuiltRoute>
  readonly streams = new Builds<StreamRoute, BuiltStream>((route, { service, grants }) =>
    buildStream(route, service, grants),
  )

  constructor(settings: Settings) {
    const ways = new Ways(settings)
    this.web = new Builds((route, world) => buildRoute(route, { ...world, ways }))
  }
}
