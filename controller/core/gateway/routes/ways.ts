import type { Location } from "../../../model/location.ts"
import type { ServicePort } from "../../../model/objects/service.ts"
import type { Cors, RouteVariables } from "../../../model/route.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import { defaultLocation, KnownLocations } from "../../declared/locations.ts"
import type { Proxying } from "../../declared/proxying.ts"
import { type ReadPolicy, verifyDepth } from "../tls/policies.ts"

/** How a backend is spoken to. */
export interface Way {
  readonly location: Location
  readonly variables?: Pick<RouteVariables, "proxySslName" | "connection">
  /** that the location names */
  readonly files: readonly SecretFile[]
}

/** What is known of a backend. */
export interface SpokenTo {
  readonly port: ServicePort | undefined
  readonly policy: ReadPolicy | undefined
}

const noFiles: readonly SecretFile[] = []

/** How backends are spoken to: what routes say, and what Services say of their ports. */
export class Ways {
  readonly #locations = new KnownLocations()
  readonly #plain: Way = { location: defaultLocation, files: noFiles }
  readonly #http2: Way = { location: this.#locations.of({ protocol: "grpc" }), files: noFiles }

  /**
   * @param kind of the route
   * @param pair what backends are shown that ask for a certificate
   */
  to(
    { port, policy }: SpokenTo,
    kind: string,
    pair: SecretFile | undefined,
  ): { readonly way: Way; readonly fault?: string } {
    const protocol = port?.appProtocol ?? ""
    const isHttp2 = kind === "GRPCRoute" || protocol === "kubernetes.io/h2c"
    const plain = isHttp2 ? this.#http2 : this.#plain
    if (policy !== undefined)
      return policy.trusted === undefined
        ? { way: plain, fault: "its BackendTLSPolicy cannot be used" }
        : { way: this.#verified(policy, policy.trusted, isHttp2, pair) }
    if (protocol !== "kubernetes.io/wss" && protocol !== "https") return { way: plain }
    const fault = `its port has appProtocol ${shown(protocol)}, and no BackendTLSPolicy says how it is verified`
    return { way: plain, fault }
  }

  #verified(
    { policy }: ReadPolicy,
    trusted: SecretFile,
    isHttp2: boolean,
    pair: SecretFile | undefined,
  ): Way {
    const names = policy.names.map(({ value }) => value)
    return {
      location: this.#locations.of({
        protocol: isHttp2 ? "grpcs" : "https",
        tls: {
          ...(pair && { certificate: pair.name }),
          ...{ trusted: trusted.name, verifies: true, verifyDepth, sendsName: true },
          ...(names.length > 0 && { names }),
        },
      }),
      variables: { proxySslName: policy.hostname },
      files: [...(pair ? [pair] : []), trusted],
    }
  }

  /**
   * @param said what annotations say
   * @param ways of the rule's backends, the first of which is the rule's own
   */
  proxying(said: Proxying, ways: readonly Way[], cors: Cors | undefined): Proxying {
    const [way = this.#plain] = ways
    const files = ways.flatMap((it) => it.files)
    if (way === this.#plain && cors === undefined && files.length === 0) return said
    return {
      ...said,
      locations: { ...said.locations, own: this.over(said, way) },
      variables: way.variables ? { ...said.variables, ...way.variables } : said.variables,
      ...(cors && { cors }),
      files: [...said.files, ...files],
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
