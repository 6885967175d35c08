import { plannedGuards } from "../../annotations/table.ts"
import type { AccessValues } from "../../annotations/values.ts"
import { keepsOut } from "../../options/guards.ts"
import { type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"

// What should keep requests out and cannot yet closes what it is for: a path that was protected must not become public.

/** Paths whose annotations ask for an access control that wick does not have yet must not be open. */
export function missingGuards(context: IngressContext): Denied | undefined {
  const missing = plannedGuards.filter((name) => keepsOut(name, written(name, context)))
  for (const name of missing)
    deny(context, name, "guard-without-effect", `Cannot protect paths by annotation "${name}" yet`)
  return missing.length > 0 ? denied : undefined
}

/** A key of the ConfigMap that should keep requests out. */
interface GlobalGuard {
  isFor(path: string): boolean
}

/** Of the ConfigMap's keys those that are for an Ingress; the Problem about them is the ConfigMap's. */
export function globalGuards(
  { usesGlobalAuth }: AccessValues,
  context: IngressContext,
): readonly GlobalGuard[] {
  const { guards, noAuthLocations } = context.settings
  const isExempt = (path: string) => noAuthLocations.some((beginning) => path.startsWith(beginning))
  return Object.keys(guards)
    .filter((key) => !isReplaced(key, context) && !(key === globalAuth && usesGlobalAuth === false))
    .map((key) => ({ isFor: (path) => key !== globalAuth || !isExempt(path) }))
}

const globalAuth = "global-auth-url"

/** The annotations that an Ingress has in the place of a key, by name of the key. */
const replacements: Readonly<Record<string, readonly string[]>> = {
  "whitelist-source-range": ["allowlist-source-range", "whitelist-source-range"],
  "denylist-source-range": ["denylist-source-range"],
  [globalAuth]: ["auth-url"],
}

/** An empty annotation replaces nothing. Source: ingress-nginx, annotations/ipallowlist */
function isReplaced(key: string, context: IngressContext): boolean {
  return (replacements[key] ?? []).some((name) => written(name, context).trim() !== "")
}

function written(name: string, { ingress, options }: IngressContext): string {
  return ingress.meta.annotations[`${options.annotationsPrefix}/${name}`] ?? ""
}
