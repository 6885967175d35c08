import type { Ingress } from "../model/objects/ingress.ts"
import { shown } from "../model/shown.ts"
import type { Finding } from "./finding.ts"
import { type OwnedPath, type Owner, ownerOf, type PathOwners, pathsOf } from "./path-owners.ts"

/** Paths that others have, or that are declared twice. */
export interface Overlap {
  readonly refusals: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/**
 * Compares the paths of an Ingress with those of all others. Who was there first has a path, however old the newcomer: letting it in would change
 * nothing, or take a path away. Of canaries each path may have one. Costs as much as the Ingress has paths.
 */
export function overlap(ingress: Ingress, owners: PathOwners, prefix: string): Overlap {
  const own = ownerOf(ingress, prefix)
  const refusals: Finding[] = []
  const warnings: Finding[] = []
  const seen = new Set<string>()
  for (const path of pathsOf(ingress)) {
    const isOther = ({ name }: Owner) => name !== own.name
    const refusing = owners.oldest(path, (owner) => isOther(owner) && excludes(own, owner))
    const idle =
      own.canary === true
        ? undefined
        : owners.oldest(path, (owner) => isOther(owner) && owner.canary !== true)
    if (refusing !== undefined) refusals.push({ field: path.field, message: taken(path, own, refusing) })
    else if (idle !== undefined) warnings.push({ field: path.field, message: taken(path, own, idle) })
    const key = `${path.host} ${path.path} ${path.pathType === "Exact"}`
    if (seen.has(key)) warnings.push({ field: path.field, message: twice(path) })
    seen.add(key)
  }
  return { refusals, warnings }
}

/** Source: ingress-nginx: both are canaries, or neither says anything of canaries. */
function excludes(own: Owner, other: Owner): boolean {
  if (own.canary === true && other.canary === true) return true
  return own.canary === undefined && other.canary === undefined
}

function taken({ host, path }: OwnedPath, own: Owner, other: Owner): string {
  const remedy =
    own.canary === true
      ? "a path has one canary at most"
      : "write another host or path, or make this one a canary"
  return `host ${shown(host)} and path ${shown(path)} is already defined in ingress ${other.name}: ${remedy}`
}

function twice({ host, path }: OwnedPath): string {
  return `host ${shown(host)} and path ${shown(path)} is defined by an earlier rule of the Ingress, which gets all requests: remove one of them`
}
