import type { Problem } from "../../../model/problem.ts"
import type { Redirect } from "../../../model/route.ts"
import { shown } from "../../../model/shown.ts"
import { getOrMake } from "../../../support/maps.ts"
import { otherName } from "../../annotations/wanted-hosts.ts"
import { hostsOf, type ParsedIngress } from "../parsed/parsed-ingress.ts"
import { type ParsedRoute, pathMatch } from "../parsed/parsed-route.ts"
import { plainProxying } from "../parsed/route-proxying.ts"
import { hostText, routeProblem } from "../problems.ts"

// A host may be asked for under other names: aliases, where the same is served, and the name with or without `www.`, which is redirected to
// the host. A name in the rules of an Ingress is never one of those. When several Ingresses ask for a name, redirects come before aliases and the
// older Ingress before the younger.

export type OtherName =
  | { readonly kind: "alias"; readonly of: string }
  /** with the only route there is */
  | { readonly kind: "redirect"; readonly of: string; readonly root: ParsedRoute }

type OtherNames = Map<string, OtherName>
type IsOwn = (name: string) => boolean

/**
 * @param ingresses that are no canaries, the oldest first
 * @param isOwn     whether a name is in the rules of one of them
 */
export function otherNamesOf(
  ingresses: readonly ParsedIngress[],
  isOwn: IsOwn,
  problems: Problem[],
): ReadonlyMap<string, OtherName> {
  const found: OtherNames = new Map()
  for (const ingress of ingresses) addRedirects(found, ingress, isOwn, problems)
  const givers = new Map<string, ParsedIngress>()
  for (const ingress of ingresses) {
    for (const host of ingress.names.aliases === undefined ? [] : hostsOf(ingress)) {
      const giver = getOrMake(givers, host, () => ingress)
      for (const fault of aliasFaults(found, host, ingress, giver, isOwn)) problems.push(fault)
    }
  }
  return found
}

/** Gives the host its aliases, if no older Ingress did. */
function aliasFaults(
  found: OtherNames,
  host: string,
  { root, names: { aliases } }: ParsedIngress,
  giver: ParsedIngress,
  isOwn: IsOwn,
): readonly Problem[] {
  if (aliases === undefined) return []
  return aliases.names.flatMap((name) => {
    const fault = giver.root === root ? addAlias(found, name, host, isOwn) : given(giver, name)
    if (fault === undefined) return []
    const message = `Cannot serve ${hostText(host)} as ${shown(name)} too: ${fault}`
    return [routeProblem(root, aliases.field, "alias-left-out", message)]
  })
}

function given({ root, names: { aliases } }: ParsedIngress, name: string): string | undefined {
  if (aliases?.names.includes(name) === true) return undefined
  return `the aliases are those of Ingress "${root.namespace}/${root.ingressName}", which is older`
}

function addAlias(found: OtherNames, name: string, host: string, isOwn: IsOwn): string | undefined {
  if (name === host) return undefined
  if (isOwn(name)) return "it is the host of a rule"
  const other = getOrMake(found, name, () => ({ kind: "alias", of: host }) as const)
  if (other.kind === "redirect") return "from-to-www-redirect leads it elsewhere"
  return other.of === host ? undefined : `it is an alias of ${hostText(other.of)} already`
}

function addRedirects(found: OtherNames, ingress: ParsedIngress, isOwn: IsOwn, problems: Problem[]): void {
  const { root, names } = ingress
  const { www } = names
  if (www === undefined) return
  for (const host of hostsOf(ingress)) {
    const name = otherName(host)
    const fault = redirectFault(host, name, isOwn)
    if (fault === undefined) getOrMake(found, name, () => redirect(host, root, www.code))
    else
      problems.push(
        routeProblem(
          root,
          www.field,
          "www-redirect-left-out",
          `Cannot redirect to ${hostText(host)}: ${fault}`,
        ),
      )
  }
}

function redirectFault(host: string, name: string, isOwn: IsOwn): string | undefined {
  if (host === "_" || host.startsWith("*.")) return "only a host without wildcard has a name to redirect from"
  return isOwn(name) ? `${shown(name)} is the host of a rule itself` : undefined
}

function redirect(of: string, root: ParsedRoute, code: Redirect["code"]): OtherName {
  return { kind: "redirect", of, root: redirectTo(of, root, code) }
}

const redirects = new WeakMap<ParsedRoute, Map<string, ParsedRoute>>()

/** The same object for the same route and host, so that what was computed from it can be used again. */
function redirectTo(host: string, root: ParsedRoute, code: Redirect["code"]): ParsedRoute {
  const byHost = getOrMake(redirects, root, () => new Map<string, ParsedRoute>())
  return getOrMake(byHost, host, () => {
    const { backend: _, ...bare } = root
    const to = `$pass_access_scheme://${host}:$pass_server_port$redirect_uri`
    const filters = { isPattern: false, redirect: { code, to } }
    return { ...bare, ...pathMatch("/", "prefix"), proxying: plainProxying, filters }
  })
}
