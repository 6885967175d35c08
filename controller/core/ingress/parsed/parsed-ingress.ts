import type { Problem } from "../../../model/problem.ts"
import type { Redirect } from "../../../model/route.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import type { ParsedRoute } from "./parsed-route.ts"
import type { ParsedTls } from "./parsed-tls.ts"
import type { ServerSnippet } from "./server-snippet.ts"

// What an Ingress comes to when it is read by itself: nothing in this folder knows other Ingresses, or what stands behind a Service.

/** Everything that one Ingress says. */
export interface ParsedIngress {
  /** `namespace/name` of the Ingress */
  readonly name: string
  readonly createdMs: number
  /** `/` of every host that this Ingress is the first to mention, unless a rule says otherwise */
  readonly root: ParsedRoute
  /** it has a default backend and no rules: its root is meant for every other host */
  readonly isCatchAll: boolean
  readonly rules: readonly ParsedRule[]
  readonly names: HostAliases
  readonly tls: ParsedTls
  /** `namespace/name` of the Secrets for TLS that its annotations name */
  readonly secrets: readonly string[]
  /** absent: clients of its hosts need no certificate */
  readonly clients?: ClientValidation
  /** TLS for its hosts is to be passed through; where it says so, for Problems */
  readonly passthrough?: { readonly field: string }
  /** absent: it says nothing of the server blocks of its hosts */
  readonly server?: ServerSnippet
  /** the paths that Ingresses of its namespace have on its hosts are closed */
  readonly closesHosts?: true
  readonly problems: readonly Problem[]
}

export interface ParsedRule {
  /** lower-case and checked; `_` for a rule without host */
  readonly host: string
  readonly routes: readonly ParsedRoute[]
}

/** Other names for the hosts of an Ingress, and where it asks for them. */
export interface HostAliases {
  readonly aliases?: { readonly names: readonly string[]; readonly field: string }
  readonly www?: { readonly code: Redirect["code"]; readonly field: string }
}

/** A canary's routes get a share of the requests of others, and have no host of their own. */
export function isCanary({ root }: Pick<ParsedIngress, "root">): boolean {
  return root.balancing.canary !== undefined
}

/** All routes of an Ingress, in its own order. */
export function routesOf({ root, rules, server }: ParsedIngress): readonly ParsedRoute[] {
  const paths = [root, ...rules.flatMap(({ routes }) => routes)]
  return [...paths.flatMap((route) => [route, ...(route.nested ?? [])]), ...(server?.routes ?? [])]
}

/** The hosts that an Ingress mentions, each once. The default backend of a canary is about those that nobody mentions, whatever its rules. */
export function hostsOf({ isCatchAll, root, rules }: ParsedIngress): ReadonlySet<string> {
  const isAboutOthers = isCatchAll || (root.backend !== undefined && isCanary({ root }))
  return new Set([...(isAboutOthers ? ["_"] : []), ...rules.map(({ host }) => host)])
}
