import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import { shortBackendName } from "../../lint/differences/conditions.ts"
import { namesFor, tlsHosts, usualScheme } from "../requests/hosts.ts"
import type { DiffRequest } from "../requests/request.ts"
import type { Logged } from "./logged.ts"

/** What is known of hosts, for logs that do not name any. */
export interface KnownHosts {
  readonly ingresses: readonly Ingress[]
  /** for requests whose host is not known otherwise; "" for none */
  readonly fallback: string
}

/**
 * What a log says as a request; undefined where nobody can say for which host. ingress-nginx's own format has no host: it names the backend, and the
 * Ingresses say which host leads there by such a path.
 */
export function requestFinder({ ingresses, fallback }: KnownHosts) {
  const hosts = new Map<string, { host: string; path: string }[]>()
  const tls = new Set(ingresses.flatMap(tlsHosts))
  for (const { meta, rules } of ingresses)
    for (const { host, paths = [] } of rules)
      for (const path of paths) {
        const name = shortBackendName(meta.namespace, path)
        const place = { host: host.toLowerCase(), path: path.path }
        if (name !== undefined) hosts.set(name, [...(hosts.get(name) ?? []), place])
      }
  return (logged: Logged, about: string): DiffRequest | undefined => {
    const host = logged.host ?? hostByBackend(logged, hosts) ?? fallback
    if (host === "") return undefined
    const { method, target, headers = {}, body, scheme = usualScheme(host, tls) } = logged
    return { scheme, host, target, method, headers, ...(body !== undefined && { body }), about }
  }
}

/** The one with the longest path that the target begins with, or else the first: a pattern begins as no target does. */
function hostByBackend(
  { backend = "", target }: Logged,
  hosts: ReadonlyMap<string, readonly { host: string; path: string }[]>,
): string | undefined {
  const all = hosts.get(backend) ?? []
  const fitting = all
    .filter(({ path }) => target.startsWith(path))
    .sort((a, b) => b.path.length - a.path.length)
  const [found] = fitting.length > 0 ? fitting : all
  return found && namesFor(found.host)[0]
}
