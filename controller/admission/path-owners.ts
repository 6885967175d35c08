import { canaryAnnotations } from "../core/annotations/canary.ts"
import { readSingle } from "../core/annotations/single.ts"
import { fieldPath } from "../model/field-path.ts"
import type { Ingress, IngressPath } from "../model/objects/ingress.ts"
import { qualifiedName } from "../model/objects/object.ts"
import { getOrMake } from "../support/maps.ts"

/** A path that leads to a Service. */
export interface OwnedPath {
  /** lower-case; `_` for every other host */
  readonly host: string
  readonly path: string
  readonly pathType: IngressPath["pathType"]
  /** where it stands in its Ingress */
  readonly field: string
}

/** An Ingress that has a host and path. */
export interface Owner {
  /** `namespace/name` */
  readonly name: string
  readonly namespace: string
  readonly createdMs: number
  /** what its annotation `canary` says; undefined without one */
  readonly canary: boolean | undefined
}

/** The paths that an Ingress declares, each as it is compared. Source: ingress-nginx, checkOverlap. */
export function pathsOf({ rules }: Ingress): readonly OwnedPath[] {
  return rules.flatMap(({ host, paths = [] }, at) =>
    paths.flatMap(({ path, pathType, backend }, index) => {
      if (backend.kind === "resource") return []
      const field = fieldPath("spec", "rules", at, "http", "paths", index, "path")
      return [{ host: host.toLowerCase() || "_", path: path || "/", pathType, field }]
    }),
  )
}

/** @param prefix of annotations */
export function ownerOf(ingress: Ingress, prefix: string): Owner {
  const { meta } = ingress
  const said = readSingle(canaryAnnotations.isCanary, ingress, prefix)
  const canary = said && said.kind === "value" && said.value
  return { name: qualifiedName(meta), namespace: meta.namespace, createdMs: meta.createdMs, canary }
}

/**
 * Which Ingresses have which host and path. It hears of each change, and neither a change nor a question costs more where there are many.
 */
export class PathOwners {
  readonly #prefix: string
  readonly #owners = new Map<Ingress, Owner>()
  /** by host, then by path */
  readonly #byHost = new Map<string, Map<string, Set<Owner>>>()

  /** @param prefix `--annotations-prefix` */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** One of ours comes, changes or goes. @param before what is there so far @param after what takes its place */
  replace(before: Ingress | undefined, after: Ingress | undefined): void {
    if (before !== undefined) this.#remove(before)
    if (after !== undefined) this.#add(after)
  }

  get size(): number {
    return this.#owners.size
  }

  /** The oldest that has a path, among those that `isMeant` of. */
  oldest({ host, path }: OwnedPath, isMeant: (owner: Owner) => boolean): Owner | undefined {
    let found: Owner | undefined
    for (const owner of this.#byHost.get(host)?.get(path) ?? [])
      if (isMeant(owner) && (found === undefined || owner.createdMs < found.createdMs)) found = owner
    return found
  }

  /** The oldest that has a host; no canary's is its own. */
  ownerOfHost(host: string): Owner | undefined {
    const owners = [...(this.#byHost.get(host)?.values() ?? [])].flatMap((of) => [...of])
    return owners
      .filter(({ canary }) => canary !== true)
      .reduce<Owner | undefined>(
        (oldest, it) => (oldest === undefined || it.createdMs < oldest.createdMs ? it : oldest),
        undefined,
      )
  }

  #add(ingress: Ingress): void {
    const owner = ownerOf(ingress, this.#prefix)
    this.#owners.set(ingress, owner)
    for (const { host, path } of locationsOf(ingress)) {
      const paths = getOrMake(this.#byHost, host, () => new Map<string, Set<Owner>>())
      getOrMake(paths, path, () => new Set()).add(owner)
    }
  }

  #remove(ingress: Ingress): void {
    const owner = this.#owners.get(ingress)
    if (owner === undefined) return
    this.#owners.delete(ingress)
    for (const { host, path } of locationsOf(ingress)) {
      const paths = this.#byHost.get(host)
      const owners = paths?.get(path)
      owners?.delete(owner)
      if (owners?.size === 0) paths?.delete(path)
      if (paths?.size === 0) this.#byHost.delete(host)
    }
  }
}

/** A path of type Prefix has itself and all below it. Source: ingress-nginx, updateServerLocations. */
function locationsOf(ingress: Ingress): readonly Pick<OwnedPath, "host" | "path">[] {
  return pathsOf(ingress).flatMap(({ host, path, pathType }) => {
    if (pathType !== "Prefix" || path.endsWith("/")) return [{ host, path }]
    return [
      { host, path },
      { host, path: `${path}/` },
    ]
  })
}
