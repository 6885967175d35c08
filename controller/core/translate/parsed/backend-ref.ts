/** A Service port as an Ingress names it. */
export interface BackendRef {
  /** names this Service port and no other: `namespace/service:port`, and behind a `>` the canaries that it is split among */
  readonly key: string
  /** `namespace/service`, as in the snapshot; "" for what can be no Service */
  readonly serviceKey: string
  readonly service: string
  /** number or name; "" when the Ingress names none, `*` for the first */
  readonly port: string
  /** as ingress-nginx names the backend, also where no port is given; not always unique */
  readonly shortName: string
  /** what answers while there is no such Service: a DNS name or an IP address */
  readonly outside?: string
}

/** A Service of which the first port is meant, whatever that is. */
export function firstPortRef(namespace: string, service: string): BackendRef {
  const serviceKey = `${namespace}/${service}`
  const shortName = `custom-default-backend-${namespace}-${service}`
  return { key: `${serviceKey}:*`, serviceKey, service, port: "*", shortName }
}

/** @param port "" when the Ingress names none */
export function backendRef(namespace: string, service: string, port: string): BackendRef {
  const serviceKey = `${namespace}/${service}`
  const shortName = port === "" ? `${namespace}-INVALID` : `${namespace}-${service}-${port}`
  return { key: `${serviceKey}:${port}`, serviceKey, service, port, shortName }
}

/**
 * A Service port as it is reached where canaries take a share of its requests.
 *
 * @param canaries names them; without `>`
 */
export function splitRef(ref: BackendRef, canaries: string): BackendRef {
  return { ...ref, key: `${ref.key}>${canaries}` }
}

/** The key of the Service port, whatever canaries it is split among. */
export function baseKey(key: string): string {
  const end = key.indexOf(">")
  return end < 0 ? key : key.slice(0, end)
}
