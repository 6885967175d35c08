import type { Host } from "../../../model/route.ts"

/** The Ingress that is asked for when a namespace has something of a host, by its name; of an alias that of its host. Without any it is the host. */
export function hostGroups(hosts: readonly Host[]): (name: string, owner: string) => string {
  const byName = new Map(hosts.map((host) => [host.host, host]))
  return (name, owner) => {
    const { aliasOf = name } = byName.get(name) ?? {}
    const route = byName.get(aliasOf)?.routes.find(({ namespace }) => namespace === owner)
    return route === undefined ? `host ${aliasOf}` : `Ingress ${route.ingressName}`
  }
}
