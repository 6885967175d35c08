import { plannedGuards } from "../../annotations/table.ts"
import type { AccessValues } from "../../annotations/values.ts"
import { keepsOut } from "../../options/guards.ts"
import { type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"

// What should keep requests out and cannot yet closes what it is for: a path that was protected must not become public.

/** Paths whose annotations ask for an access control that wick does not have yet must not be open. */
export function missingGuards(context: IngressContext): Denied | undefined {
  const missing = plannedGuards.filter((name) => keepsOut(written(name, context)))
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
    .filter(
      (key) => key !== globalAuth || !(usesGlobalAuth === false || keepsOut(written("auth-url", context))),
    )
    .map((key) => ({ isFor: (path) => key !== globalAuth || !isExempt(path) }))
}

const globalAuth = "global-auth-url"

function written(name: string, { ingress, options }: IngressContext): string {
  return ingress.meta.annotations[`${options.annotationsPrefix}/${name}`] ?? ""
}
