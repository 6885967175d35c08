import type { Ownership } from "../core/ingress/hosts/ownership.ts"
import { ownerInTable } from "../core/options/keys/ownership.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { shown } from "../model/shown.ts"
import type { Finding } from "./finding.ts"
import { type OwnedPath, type Owner, ownerOf, type PathOwners, pathsOf } from "./path-owners.ts"

/** Paths that others have, or that are declared twice. */
export interface Overlap {
  readonly refusals: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** What the operator says about owners of hosts. */
/**
 * Compares the paths of an Ingress with those of all others. Who was there first has a path, however old the newcomer: letting it in would change
 * nothing, or take a path away. Of canaries each path may have one in its namespace. Costs as much as the Ingress has paths.
 *
 * @param prefix of annotations
 */
export function overlap(
  ingress: Ingress,
  owners: PathOwners,
  prefix: string,
  { crossNamespace, hostOwners }: Ownership,
): Overlap {
  const own = ownerOf(ingress, prefix)
  const isOwned = crossNamespace !== "allowed"
  const isForeign = (other: Owner) => isOwned && other.namespace !== own.namespace
  const refusals: Finding[] = []
  const warnings: Finding[] = []
  const seen = new Set<string>()
  for (const path of pathsOf(ingress)) {
    const isOther = ({ name }: Owner) => name !== own.name
    const isGiven = isOwned && ownerInTable(hostOwners, path.host) === own.namespace
    // a canary of another namespace gets no requests, and a path of the host that the operator has given to this one gives way
    const isVain = (other: Owner) => isForeign(other) && (isGiven || other.canary === true)
    const refusing = owners.oldest(path, (owner) => isOther(owner) && !isVain(owner) && excludes(own, owner))
    const idle =
      own.canary === true
        ? undefined
        : owners.oldest(path, (owner) => isOther(owner) && !isVain(owner) && owner.canary !== true)
    const primary = own.canary === true ? primaryOf(path, owners, isForeign) : undefined
    if (refusing !== undefined) refusals.push({ field: path.field, message: taken(path, own, refusing) })
    else if (idle !== undefined) warnings.push({ field: path.field, message: taken(path, own, idle) })
    else if (primary !== undefined)
      warnings.push({ field: path.field, message: foreignPrimary(path, primary) })
    const key = `${path.host} ${path.path} ${path.pathType === "Exact"}`
    if (seen.has(key)) warnings.push({ field: path.field, message: twice(path) })
    seen.add(key)
  }
  return { refusals, warnings }
}

/** The one that a canary would take requests of, if that is another namespace's. */
function primaryOf(
  path: OwnedPath,
  owners: PathOwners,
  isForeign: (other: Owner) => boolean,
): Owner | undefined {
  const isMain = ({ canary }: Owner) => canary !== true
  if (owners.oldest(path, (owner) => isMain(owner) && !isForeign(owner)) !== undefined) return undefined
  return owners.oldest(path, isMain)
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
      : own.namespace === other.namespace
        ? "write another host or path, or make this one a canary"
        : "write another host or path"
  return `host ${shown(host)} and path ${shown(path)} is already defined in ingress ${other.name}: ${remedy}`
}

function foreignPrimary({ host, path }: OwnedPath, other: Owner): string {
  return `host ${shown(host)} and path ${shown(path)} is that of ingress ${other.name}: a canary belongs to the namespace of its primary, this one gets no requests`
}

function twice({ host, path }: OwnedPath): string {
  return `host ${shown(host)} and path ${shown(path)} is defined by an earlier rule of the Ingress, which gets all requests: remove one of them`
}
