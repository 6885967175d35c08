import type { TypedDirective } from "../../model/typed-directive.ts"
import type { Session } from "./scope.ts"

// Zones of caches are the operator's and for all namespaces, and what one keeps is found by its key alone: in what an Ingress says, every key begins
// with its namespace, so that nobody reads or replaces what is kept for others.

const caches = ["proxy_cache", "fastcgi_cache"] as const

/** nginx's own has no host, but the name of the upstream, which is the same for all. Source: nginx, ngx_http_proxy_create_key. */
const usualKey = "$scheme://$host$request_uri"

/** @param text of one level, as it is printed */
export function cachesApart(
  text: readonly TypedDirective[],
  { place, options: { namespace } }: Session,
): readonly TypedDirective[] {
  const isOfIngress = (place === "location" || place === "server") && namespace !== ""
  return isOfIngress ? caches.reduce((all, cache) => keyed(all, cache, namespace), text) : text
}

function keyed(text: readonly TypedDirective[], cache: string, namespace: string): readonly TypedDirective[] {
  const name = `${cache}_key`
  const others = text.filter((directive) => directive.name !== name)
  const said = text.find((directive) => directive.name === name)
  const isKept = text.some((directive) => directive.name === cache)
  if (said === undefined && !isKept) return text
  return [...others, { name, args: [`${namespace}/${said?.args[0] ?? usualKey}`] }]
}
