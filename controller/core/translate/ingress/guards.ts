import { plannedGuards } from "../../annotations/table.ts"
import { type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"

/** Paths whose annotations ask for an access control that wick does not have yet must not be open. */
export function missingGuards(context: IngressContext): Denied | undefined {
  const missing = plannedGuards.filter((name) => written(name, context).trim() !== "")
  for (const name of missing)
    deny(context, name, "guard-without-effect", `Cannot protect paths by annotation "${name}" yet`)
  return missing.length > 0 ? denied : undefined
}

function written(name: string, { ingress, options }: IngressContext): string {
  return ingress.meta.annotations[`${options.annotationsPrefix}/${name}`] ?? ""
}
