import { plannedGuards } from "../../annotations/table.ts"
import { type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"

/** An allowlist with it excludes nobody; cert-manager writes it on the Ingresses that answer its challenges. */
const everybody = "0.0.0.0/0"

/** Paths whose annotations ask for an access control that wick does not have yet must not be open. */
export function missingGuards(context: IngressContext): Denied | undefined {
  const { ingress, options } = context
  const written = (name: string) => ingress.meta.annotations[`${options.annotationsPrefix}/${name}`]
  const missing = plannedGuards.filter((name) => keepsOut(name, written(name)))
  for (const name of missing)
    deny(context, name, "guard-without-effect", `Cannot protect paths by annotation "${name}" yet`)
  return missing.length > 0 ? denied : undefined
}

function keepsOut(name: string, value: string | undefined): boolean {
  const items = value?.split(",").map((item) => item.trim()) ?? []
  const isAllowing = name === "allowlist-source-range" || name === "whitelist-source-range"
  return isAllowing ? items.length > 0 && !items.includes(everybody) : items.join("") !== ""
}
