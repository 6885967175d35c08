import type { Authority } from "../../../model/certificate.ts"
import type { Location } from "../../../model/location.ts"
import type { ServicePort } from "../../../model/objects/service.ts"
import type { Cors, RouteVariables } from "../../../model/route.ts"
import { shown } from "../../../model/shown.ts"
import type { KeyPair } from "../../../model/tls-secret.ts"
import { type DeclaredBackendTls, declaredBackendTls } from "../../declared/backend-tls.ts"
import { defaultLocation, KnownLocations } from "../../declared/locations.ts"
import type { Proxying } from "../../declared/proxying.ts"
import { type ReadPolicy, verifyDepth } from "../tls/policies.ts"

/** How a backend is spoken to. */
export interface Way {
  readonly location: Location
  readonly variables?: Pick<RouteVariables, "proxySslName" | "connection">
  readonly backendTls?: DeclaredBackendTls
}

/** What is known of a backend. */
export interface SpokenTo {
  readonly port: ServicePort | undefined
  readonly policy: ReadPolicy | undefined
}

/** Of what a service has to show. It is a part of the backend's name, which has room for no more. */
const maxAskedName = 100

function askedFault({ location: { protocol }, variables }: Way): string | undefined {
  if (protocol !== undefined && protocol !== "https") return "an authentication service is asked by HTTP/1.1"
  const { length } = variables?.proxySslName ?? ""
  if (length <= maxAskedName) return undefined
  return `the hostname of its BackendTLSPolicy has more than ${maxAskedName} characters, too many for an authentication service`
}

/** How backends are spoken to: what routes say, and what Services say of their ports. */
export class Ways {
  readonly #locations = new KnownLocations()
  readonly #plain: Way = { location: defaultLocation }
  readonly #http2: Way = { location: this.#locations.of({ protocol: "grpc" }) }

  /**
   * @param kind of the route
   * @param pair what backends are shown that ask for a certificate
   */
  to(
    { port, policy }: SpokenTo,
    kind: string,
    pair: KeyPair | undefined,
  ): { readonly way: Way; readonly fault?: string } {
    const protocol = port?.appProtocol ?? ""
    const isHttp2 = kind === "GRPCRoute" || protocol === "kubernetes.io/h2c"
    const plain = isHttp2 ? this.#http2 : this.#plain
    if (policy !== undefined)
      return policy.authority === undefined
        ? { way: plain, fault: "its BackendTLSPolicy cannot be used" }
        : { way: this.#verified(policy, policy.authority, isHttp2, pair) }
    if (protocol !== "kubernetes.io/wss" && protocol !== "https") return { way: plain }
    const fault = `its port has appProtocol ${shown(protocol)}, and no BackendTLSPolicy says how it is verified`
    return { way: plain, fault }
  }

  /** The same of a service that is asked about requests. */
  toAsked(known: SpokenTo, pair: KeyPair | undefined): ReturnType<Ways["to"]> {
    const { way, fault = askedFault(way) } = this.to(known, "HTTPRoute", pair)
    return { way, ...(fault !== undefined && { fault }) }
  }

  #verified({ policy }: ReadPolicy, authority: Authority, isHttp2: boolean, pair: KeyPair | undefined): Way {
    const alternativeNames = policy.names.map(({ value }) => value)
    const said = {
      ...{ depth: verifyDepth, sendsName: true as const },
      ...(alternativeNames.length > 0 && { alternativeNames }),
    }
    return {
      location: this.#locations.of({ protocol: isHttp2 ? "grpcs" : "https" }),
      variables: { proxySslName: policy.hostname },
      backendTls: declaredBackendTls(said, { ...(pair && { pair }), authority }),
    }
  }

  /**
   * @param said what annotations say
   * @param ways of the rule's backends, the first of which is the rule's own
   */
  proxying(said: Proxying, ways: readonly Way[], cors: Cors | undefined): Proxying {
    const [way = this.#plain] = ways
    if (way === this.#plain && cors === undefined) return said
    return {
      ...said,
      locations: { ...said.locations, own: this.over(said, way) },
      variables: way.variables ? { ...said.variables, ...way.variables } : said.variables,
      ...(way.backendTls && { backendTls: way.backendTls }),
      ...(cors && { cors }),
    }
  }

  /** The location of a backend that is spoken to in some way; what annotations say stays as far as that is about something else. */
  over({ locations: { own } }: Proxying, { location }: Way): Location {
    if (location === defaultLocation) return own
    if (own === defaultLocation) return location
    const { name: _, ...said } = own
    const { name: __, ...fields } = location
    return this.#locations.of({ ...said, ...fields })
  }
}
