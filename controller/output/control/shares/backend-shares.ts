import type { Backend } from "../../../model/backend.ts"
import type { Live } from "../../../model/model.ts"
import { backendsOf, mirrorsOf, type Route } from "../../../model/route.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { Item } from "./grant.ts"
import { backendBytes } from "./record-bytes.ts"

export interface BackendItem extends Item {
  readonly backend: Backend
}

/** Backends are for the namespaces whose routes lead to them, wherever their Services are. */
export function backendItems({ backends, hosts }: Pick<Live, "backends" | "hosts">): readonly BackendItem[] {
  const users = new Map<string, Set<string>>()
  const use = (name: string, namespace: string) =>
    getOrMake(users, name, () => new Set<string>()).add(namespace)
  for (const { routes } of hosts)
    for (const route of routes) for (const name of backendsNamedBy(route)) use(name, route.namespace)
  for (const { name, alternatives = [] } of backends)
    for (const namespace of users.get(name) ?? []) for (const canary of alternatives) use(canary, namespace)
  return backends.map((backend) => {
    const owners = [...(users.get(backend.name) ?? [])]
    const isOperators = owners.includes("")
    return {
      backend,
      owners: isOperators ? [] : owners,
      group: backend.name,
      bytes: backendBytes(backend),
      closedBytes: 0,
      needs: [],
    }
  })
}

export function backendsNamedBy(route: Route): readonly string[] {
  const { access, variables } = route
  const others = [access?.external?.backend, variables?.mirrorBackend, variables?.errorBackend]
  const copied = mirrorsOf(route).map(({ backend }) => backend)
  return [...backendsOf(route), ...others.filter((name) => name !== undefined), ...copied]
}
