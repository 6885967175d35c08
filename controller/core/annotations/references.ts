import type { Ingress } from "../../model/objects/ingress.ts"
import type { GatewayRoute, ObjectKey } from "../../model/objects/object.ts"
import { ownPrefix } from "../options/conflicts.ts"
import { authUrl } from "../options/external-auth/auth-url.ts"
import { serviceOfHost } from "../options/external-auth/service.ts"
import { type Annotation, annotations } from "./table.ts"

/** An annotation whose value names an object. */
type Referring = Annotation & { readonly refersTo: NonNullable<Annotation["refersTo"]> }

const referring = annotations.filter((entry): entry is Referring => entry.refersTo !== undefined)

/**
 * The objects that the annotations of an Ingress or a route name, whether they may be used or not: a change of one may concern it.
 *
 * @param prefix as `readAnnotations`
 */
export function referencesIn({ meta }: Ingress | GatewayRoute, prefix: string): readonly ObjectKey[] {
  const { namespace, annotations: written } = meta
  const named: readonly ObjectKey[] = referring.flatMap(({ name, refersTo, isOwn }) => {
    const text = written[`${isOwn ? ownPrefix : prefix}/${name}`]
    return text === undefined ? [] : [{ kind: refersTo, ...qualify(text, namespace) }]
  })
  return [...named, ...askedServices(written[`${prefix}/auth-url`], namespace)]
}

/** The Service that may be meant by the host of an authentication service. */
function askedServices(text: string | undefined, namespace: string): readonly ObjectKey[] {
  const parsed = text === undefined ? undefined : authUrl.parse(text)
  if (parsed?.kind !== "value" || parsed.value.host.kind !== "name") return []
  const service = serviceOfHost(parsed.value.host.text, namespace)
  return service === undefined ? [] : [{ kind: "Service", ...service }]
}

/** What a reference names: `name` in `namespace`, or `other/name`. Blanks mean nothing, as in ingress-nginx. */
export function qualify(text: string, namespace: string): { namespace: string; name: string } {
  const plain = text.replaceAll(" ", "")
  const slash = plain.indexOf("/")
  return slash < 0
    ? { namespace, name: plain }
    : { namespace: plain.slice(0, slash), name: plain.slice(slash + 1) }
}
