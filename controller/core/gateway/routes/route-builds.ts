import type { GatewayRoute } from "../../../model/objects/object.ts"
import type { Service } from "../../../model/objects/service.ts"
import type { Settings } from "../../options/settings.ts"
import type { Grants } from "../grants.ts"
import { type BuiltRoute, buildRoute } from "./built-route.ts"
import type { WebRoute } from "./read-route.ts"
import { Ways } from "./ways.ts"

type Services = ReadonlyMap<string, Service>

interface Kept {
  readonly built: BuiltRoute
  readonly grants: Grants
  /** that it asked for */
  readonly services: readonly (readonly [name: string, service: Service | undefined])[]
}

/** Routes as they were built, by their identity: one is built anew when it, a grant or a Service that it names has changed. */
export class RouteBuilds {
  readonly #kept = new WeakMap<GatewayRoute, Kept>()
  readonly #ways: Ways

  constructor(settings: Settings) {
    this.#ways = new Ways(settings)
  }

  of(route: WebRoute, services: Services, grants: Grants): BuiltRoute {
    const before = this.#kept.get(route)
    if (before !== undefined && before.grants === grants && isSame(before, services)) return before.built
    const asked = new Map<string, Service | undefined>()
    const service = (name: string) => {
      asked.set(name, services.get(name))
      return services.get(name)
    }
    const built = buildRoute(route, { grants, service, ways: this.#ways })
    this.#kept.set(route, { built, grants, services: [...asked] })
    return built
  }
}

function isSame({ services: asked }: Kept, services: Services): boolean {
  return asked.every(([name, service]) => services.get(name) === service)
}
