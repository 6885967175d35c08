import type { Location } from "../../../model/location.ts"
import type { BackendRef as ObjectBackend } from "../../../model/objects/gateway/references.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { ServicePort } from "../../../model/objects/service.ts"
import type { Cors, RouteVariables } from "../../../model/route.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import { defaultLocation, KnownLocations } from "../../declared/locations.ts"
import { type Proxying, plainProxying } from "../../declared/proxying.ts"
import type { Settings } from "../../options/settings.ts"
import type { Finding } from "../finding.ts"

/** How a backend is spoken to. */
export interface Way {
  readonly location: Location
  readonly variables?: Pick<RouteVariables, "proxySslName" | "connection">
  /** that the location names */
  readonly files: readonly SecretFile[]
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

  /** @param kind of the route */
  to(
    backend: Omit<ObjectBackend, "weight">,
    port: ServicePort | undefined,
    kind: string,
    field: string,
  ): { readonly way: Way; readonly fault?: Finding } {
    if (kind === "GRPCRoute") return { way: this.#http2 }
    switch (port?.appProtocol ?? "") {
      case "kubernetes.io/h2c":
        return { way: this.#http2 }
      case "kubernetes.io/wss":
      case "https":
        return { way: this.#plain, fault: unverified(backend, port, field) }
      default:
        return { way: this.#plain }
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

function unverified(
  ref: Omit<ObjectBackend, "weight">,
  port: ServicePort | undefined,
  field: string,
): Finding {
  const message = `Cannot pass requests to Service ${shown(qualifiedName(ref))}: its port has appProtocol ${shown(port?.appProtocol ?? "")}, and no BackendTLSPolicy says how it is verified`
  return { reason: "UnsupportedProtocol", code: "backend-protocol", field, message }
}
