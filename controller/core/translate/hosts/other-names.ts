import type { Problem } from "../../../model/problem.ts"
import type { Redirect } from "../../../model/route.ts"
import { shown } from "../../../model/shown.ts"
import { getOrMake } from "../../../support/maps.ts"
import { hostsOf, type IngressClaims, place, type RouteClaim } from "../ingress/claim.ts"
import { plainProxying } from "../ingress/proxying.ts"
import { claimProblem } from "../problems.ts"

// A host may be asked for under other names: aliases, where the same is served, and the name with `www.` more or less, which only leads to
// the host. A name in the rules of an Ingress is never one of those. Of several that want a name, redirects come before aliases and the older
// Ingress before the younger.

export type OtherName =
  | { readonly kind: "alias"; readonly of: string }
  /** with the only claim there is */
  | { readonly kind: "redirect"; readonly of: string; readonly root: RouteClaim }

/** What an Ingress wants done about the names of its hosts, and where it says so. */
export interface NameWishes {
  readonly aliases?: { readonly names: readonly string[]; readonly field: string }
  readonly www?: { readonly code: Redirect["code"]; readonly field: string }
}

type OtherNames = Map<string, OtherName>
type IsOwn = (name: string) => boolean

/**
 * @param claims those of Ingresses that are no canaries, the oldest first
 * @param isOwn  whether a name is in the rules of one of them
 */
export function otherNamesOf(
  claims: readonly IngressClaims[],
  isOwn: IsOwn,
  problems: Problem[],
): ReadonlyMap<string, OtherName> {
  const found: OtherNames = new Map()
  for (const claim of claims) if (claim.names.www !== undefined) addRedirects(found, claim, isOwn, problems)
  const givers = new Map<string, IngressClaims>()
  for (const claim of claims) {
    for (const host of claim.names.aliases === undefined ? [] : hostsOf(claim)) {
      const giver = getOrMake(givers, host, () => claim)
      for (const fault of aliasFaults(found, host, claim, giver, isOwn)) problems.push(fault)
    }
  }
  return found
}

/** Gives the host its aliases, if no older Ingress did. */
function aliasFaults(
  found: OtherNames,
  host: string,
  { root, names: { aliases } }: IngressClaims,
  giver: IngressClaims,
  isOwn: IsOwn,
): readonly Problem[] {
  if (aliases === undefined) return []
  return aliases.names.flatMap((name) => {
    const fault = giver.root === root ? addAlias(found, name, host, isOwn) : given(giver, name)
    if (fault === undefined) return []
    const message = `Cannot serve ${where(host)} as ${shown(name)} too: ${fault}`
    return [claimProblem(root, aliases.field, "alias-left-out", message)]
  })
}

function given({ root, names: { aliases } }: IngressClaims, name: string): string | undefined {
  if (aliases?.names.includes(name) === true) return undefined
  return `the aliases are those of Ingress "${root.namespace}/${root.ingressName}", which is older`
}

function addAlias(found: OtherNames, name: string, host: string, isOwn: IsOwn): string | undefined {
  if (name === host) return undefined
  if (isOwn(name)) return "it is the host of a rule"
  const other = getOrMake(found, name, () => ({ kind: "alias", of: host }) as const)
  if (other.kind === "redirect") return "from-to-www-redirect leads it elsewhere"
  return other.of === host ? undefined : `it is an alias of ${where(other.of)} already`
}

function addRedirects(found: OtherNames, claim: IngressClaims, isOwn: IsOwn, problems: Problem[]): void {
  const {
    root,
    names: { www },
  } = claim
  if (www === undefined) return
  for (const host of hostsOf(claim)) {
    const name = host.startsWith("www.") ? host.slice("www.".length) : `www.${host}`
    const fault = redirectFault(host, name, isOwn)
    if (fault === undefined) getOrMake(found, name, () => redirect(host, root, www.code))
    else
      problems.push(
        claimProblem(root, www.field, "www-redirect-left-out", `Cannot redirect to ${where(host)}: ${fault}`),
      )
  }
}

function redirectFault(host: string, name: string, isOwn: IsOwn): string | undefined {
  if (host === "_" || host.startsWith("*.")) return "only a host without wildcard has a name to redirect from"
  return isOwn(name) ? `${shown(name)} is the host of a rule itself` : undefined
}

function where(host: string): string {
  return host === "_" ? "every other host" : `host ${shown(host)}`
}

function redirect(of: string, root: RouteClaim, code: Redirect["code"]): OtherName {
  return { kind: "redirect", of, root: redirectTo(of, root, code) }
}

const redirects = new WeakMap<RouteClaim, Map<string, RouteClaim>>()

/** The same object for the same claim and host, so that what was computed from it can be used again. */
function redirectTo(host: string, root: RouteClaim, code: Redirect["code"]): RouteClaim {
  const byHost = getOrMake(redirects, root, () => new Map<string, RouteClaim>())
  return getOrMake(byHost, host, () => {
    const { backend: _, ...bare } = root
    const to = `$pass_access_scheme://${host}:$pass_server_port$redirect_uri`
    const treatment = { isPattern: false, redirect: { code, to } }
    return { ...bare, ...place("/", "prefix"), proxying: plainProxying, treatment }
  })
}
