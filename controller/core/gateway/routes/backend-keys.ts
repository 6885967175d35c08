import { askedByName } from "../../../model/asked-by-name.ts"
import type { CookieAffinity } from "../../../model/backend.ts"
import type { BackendRef as ObjectBackend } from "../../../model/objects/gateway/references.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import { contentName } from "../../../support/content-name.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { usualBalancing } from "../../declared/load-balancing.ts"
import type { Said } from "../../declared/said.ts"

/** How a backend is asked; undefined fields: as usual. */
interface Asked {
  /** sessions with it */
  readonly affinity: CookieAffinity | undefined
  /** that it has to show, where it gets no requests of the route */
  readonly askedName: string | undefined
}

/**
 * A Service port as routes of the Gateway API name it. A colon comes before the slash in its key, which is its name, too: so it is no backend of an
 * Ingress. What is balanced in another way is another backend.
 */
export function gatewayBackend(
  { namespace, name, port }: Omit<ObjectBackend, "weight">,
  { loadBalancing }: Said,
  { affinity, askedName }: Asked,
): { readonly ref: BackendRef; readonly declared: DeclaredBackend } {
  const isUsual = loadBalancing === usualBalancing && affinity === undefined
  const serviceKey = qualifiedName({ namespace, name })
  const own = isUsual ? [] : [contentName(JSON.stringify([loadBalancing, affinity])).slice(0, 8)]
  const usual = ["gateway", serviceKey, port, ...own].join(":")
  const key = askedName === undefined ? usual : askedByName(usual, askedName)
  const ref: BackendRef = {
    ...{ key, serviceKey, service: name, port: String(port ?? ""), shortName: key },
    protocol: "TCP",
  }
  const { hashBy, slowStartMs, outlierEjection } = loadBalancing
  const fields = {
    ...(hashBy !== undefined && { hashBy }),
    ...(slowStartMs !== undefined && { slowStartMs }),
    ...(outlierEjection !== undefined && { outlierEjection }),
    ...(affinity && { affinity }),
  }
  return { ref, declared: { ref, name: key, loadBalancing, fields } }
}

/** Whom annotations name beside the route's own backends. */
export function othersOf({ proxying, access }: Said): readonly DeclaredBackend[] {
  const { fallback, mirror } = proxying
  return [fallback?.ref, mirror?.ref, access.external?.ref]
    .filter((ref) => ref !== undefined)
    .map((ref) => ({ ref, name: ref.shortName, loadBalancing: usualBalancing, fields: {} }))
}
