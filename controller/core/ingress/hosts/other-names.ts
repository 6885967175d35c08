import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { getOrMake } from "../../../support/maps.ts"
import { otherName } from "../../annotations/wanted-hosts.ts"
import { hostText, ruleProblem } from "../../declared/problems.ts"
import { hostsOf, type ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { DerivedRoutes } from "./derived-routes.ts"
import { type HostOwner, hostOwner, isForeign, type Ownership, ownedText } from "./ownership.ts"

// A host may be asked for under other names: aliases, where the same is served, and the name with or without `www.`, which is redirected to
// the host. A name in the rules of an Ingress is never one of those. When several Ingresses ask for a name, redirects come before aliases and the
// older Ingress before the younger.

export type OtherName =
  | { readonly kind: "alias"; readonly of: string }
  /** with the only route there is */
  | { readonly kind: "redirect"; readonly of: string; readonly root: ParsedRoute }

type OtherNames = Map<string, OtherName>

/** What is known of names. */
interface Names {
  /** whether a name is in the rules of an Ingress */
  readonly isOwn: (name: string) => boolean
  /** of a host that rules name */
  readonly ownerOf: (host: string) => HostOwner | undefined
  readonly ownership: Ownership
  readonly derived: Pick<DerivedRoutes, "redirect">
}

/** @param ingresses that are no canaries, the oldest first */
export function otherNamesOf(
  ingresses: readonly ParsedIngress[],
  names: Names,
  problems: Problem[],
): ReadonlyMap<string, OtherName> {
  const found: OtherNames = new Map()
  for (const ingress of ingresses) addRedirects(found, ingress, names, problems)
  const givers = new Map<string, ParsedIngress>()
  for (const ingress of ingresses) {
    const { aliases } = ingress.names
    for (const host of aliases === undefined ? [] : hostsOf(ingress)) {
      const foreign = aliases && unheard(host, ingress, "server-alias", aliases.field, names)
      const giver = foreign ? ingress : getOrMake(givers, host, () => ingress)
      const faults = foreign ? [foreign] : aliasFaults(found, host, ingress, giver, names)
      for (const fault of faults) problems.push(fault)
    }
  }
  return found
}

/** What another namespace than the owner's wants for a host. */
function unheard(
  host: string,
  { root }: ParsedIngress,
  annotation: string,
  field: string,
  { ownerOf }: Names,
): Problem | undefined {
  const owner = ownerOf(host)
  if (owner === undefined || !isForeign(root, owner)) return undefined
  const message = `Annotation "${annotation}" has no effect for ${hostText(host)}: ${ownedText(owner)}`
  return ruleProblem(root, field, "host-owned", message)
}

/** Gives the host its aliases, if no older Ingress did. */
function aliasFaults(
  found: OtherNames,
  host: string,
  { root, names: { aliases } }: ParsedIngress,
  giver: ParsedIngress,
  known: Names,
): readonly Problem[] {
  if (aliases === undefined) return []
  return aliases.names.flatMap((name) => {
    const fault = giver.root === root ? addAlias(found, name, host, root, known) : given(giver, name)
    if (fault === undefined) return []
    const message = `Cannot serve ${hostText(host)} as ${shown(name)} too: ${fault}`
    return [ruleProblem(root, aliases.field, "alias-left-out", message)]
  })
}

function given({ root, names: { aliases } }: ParsedIngress, name: string): string | undefined {
  if (aliases?.names.includes(name) === true) return undefined
  return `the aliases are those of Ingress "${qualifiedName(root.source)}", which is older`
}

function addAlias(
  found: OtherNames,
  name: string,
  host: string,
  root: ParsedRoute,
  known: Names,
): string | undefined {
  if (name === host) return undefined
  if (known.isOwn(name)) return "it is the host of a rule"
  const owner = hostOwner(name, [], known.ownership)
  if (isForeign(root, owner) && owner !== undefined) return ownedText(owner)
  const other = getOrMake(found, name, () => ({ kind: "alias", of: host }) as const)
  if (other.kind === "redirect") return "from-to-www-redirect leads it elsewhere"
  return other.of === host ? undefined : `it is an alias of ${hostText(other.of)} already`
}

function addRedirects(found: OtherNames, ingress: ParsedIngress, known: Names, problems: Problem[]): void {
  const { root, names } = ingress
  const { www } = names
  if (www === undefined) return
  for (const host of hostsOf(ingress)) {
    const name = otherName(host)
    const foreign = unheard(host, ingress, "from-to-www-redirect", www.field, known)
    const fault = redirectFault(host, name, root, known)
    if (foreign !== undefined) problems.push(foreign)
    else if (fault === undefined)
      getOrMake(found, name, () => redirect(host, known.derived.redirect(host, root, www.code)))
    else
      problems.push(
        ruleProblem(
          root,
          www.field,
          "www-redirect-left-out",
          `Cannot redirect to ${hostText(host)}: ${fault}`,
        ),
      )
  }
}

function redirect(of: string, root: ParsedRoute): OtherName {
  return { kind: "redirect", of, root }
}

function redirectFault(
  host: string,
  name: string,
  root: ParsedRoute,
  { isOwn, ownership }: Names,
): string | undefined {
  const owner = hostOwner(name, [], ownership)

  if (host === "_" || host.startsWith("*.")) return "only a host without wildcard has a name to redirect from"
  if (owner !== undefined && isForeign(root, owner))
    return `${shown(name)} is not its own: ${ownedText(owner)}`
  return isOwn(name) ? `${shown(name)} is the host of a rule itself` : undefined
}
