import type { Location } from "../../../model/location.ts"
import type { ServicePort } from "../../../model/objects/service.ts"
import type { Cors, RouteVariables } from "../../../model/route.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import { defaultLocation, KnownLocations } from "../../declared/locations.ts"
import { type Proxying, plainProxying } from "../../declared/proxying.ts"
import type { Settings } from "../../options/settings.ts"
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
  readonly #plain: Way
  readonly #http2: Way
  readonly #usual: Proxying

  constructor({ proxyHttpVersion, errorCodes }: Pick<Settings, "proxyHttpVersion" | "errorCodes">) {
    const isOld = proxyHttpVersion === "1.0"
    this.#plain = { location: this.#locations.of(isOld ? { proxyHttpVersion: "1.0" } : {}), files: noFiles }
    this.#http2 = { location: this.#locations.of({ protocol: "grpc" }), files: noFiles }
    const { location } = this.#plain
    const locations = location === defaultLocation ? plainProxying.locations : both(location)
    this.#usual = { ...plainProxying, locations, errorPages: errorCodes.length > 0 ? "default" : "none" }
  }

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
    return {
      location: this.#locations.of({
        protocol: isHttp2 ? "grpcs" : "https",
        tls: {
          ...(pair && { certificate: pair.name }),
          ...{ trusted: trusted.name, verifies: true, verifyDepth, sendsName: true },
        },
      }),
      variables: { proxySslName: policy.hostname },
      files: [...(pair ? [pair] : []), trusted],
    }
  }

  /** @param way of the first backend; undefined: there is none */
  readonly proxying = (
    way: Way | undefined,
    files: readonly SecretFile[],
    cors: Cors | undefined,
  ): Proxying => {
    const own = way?.location ?? defaultLocation
    if (own === this.#plain.location && cors === undefined && files.length === 0) return this.#usual
    return {
      ...this.#usual,
      locations: both(own),
      ...(way?.variables && { variables: way.variables }),
      ...(cors && { cors }),
      files,
    }
  }
}

function both(own: Location) {
  return { own, onDefault: defaultLocation }
}
