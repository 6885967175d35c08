import { annotationPath, fieldPath } from "../../model/field-path.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import { shown } from "../../model/shown.ts"
import { type HostRules, mayHave, patternsOf } from "../options/keys/host-rules.ts"
import { canaryAnnotations } from "./canary.ts"
import { routingAnnotations } from "./routing.ts"
import type { RuleFault } from "./rules.ts"
import { readSingle, type Single } from "./single.ts"

// An Ingress gets requests for more hosts than its rules name: a default backend without rules has all that nobody names, aliases and the other
// name of a www redirect are hosts, too. The owner of a host is looked up for all of them.

/** A host of which an Ingress wants the requests. */
export interface WantedHost {
  /** lower-case; "" for every other host */
  readonly host: string
  /** where it says so, as in a Problem */
  readonly field: string
  /** what in the Ingress says so */
  readonly by: "rule" | "default-backend" | "alias" | "www-redirect"
  /** which rule it is */
  readonly rule?: number
}

/** A host that admission-hosts gives to others. */
export interface HostFault extends RuleFault {
  readonly wanted: WantedHost
}

/** Every host that an Ingress wants requests of. @param prefix of annotations */
function wantedHosts(ingress: Ingress, prefix: string): readonly WantedHost[] {
  const { rules, defaultBackend } = ingress
  // the default backend of a canary takes its share of what every other host gets
  const isForAll = rules.length === 0 || readsTrue(readSingle(canaryAnnotations.isCanary, ingress, prefix))
  const own = rules.map(({ host }, rule) => {
    return {
      host: host.toLowerCase(),
      field: fieldPath("spec", "rules", rule, "host"),
      by: "rule",
      rule,
    } as const
  })
  return [
    ...own,
    ...(defaultBackend !== undefined && isForAll
      ? [{ host: "", field: "spec.defaultBackend", by: "default-backend" } as const]
      : []),
    ...aliasesIn(readSingle(routingAnnotations.aliases, ingress, prefix)),
    ...redirectedTo(readSingle(routingAnnotations.redirectsWww, ingress, prefix), own),
  ]
}

function aliasesIn(said: Single<readonly string[]> | undefined): readonly WantedHost[] {
  if (said?.kind !== "value") return []
  return said.value.map((host) => ({ host, field: annotationPath(said.key), by: "alias" }))
}

function redirectedTo(said: Single<boolean> | undefined, own: readonly WantedHost[]): readonly WantedHost[] {
  if (said === undefined || !readsTrue(said)) return []
  const names = own
    .filter(({ host }) => host !== "" && !host.startsWith("*."))
    .map(({ host }) => otherName(host))
  return names.map((host) => ({ host, field: annotationPath(said.key), by: "www-redirect" }))
}

/** The host with `www.` in front, or without. */
export function otherName(host: string): string {
  return host.startsWith("www.") ? host.slice("www.".length) : `www.${host}`
}

function readsTrue(said: Single<boolean> | undefined): boolean {
  return said?.kind === "value" && said.value
}

/** The hosts that are not for the Ingress's namespace. */
export function foreignHosts(
  ingress: Ingress,
  hosts: HostRules | undefined,
  prefix: string,
): readonly HostFault[] {
  if (hosts === undefined) return []
  const { namespace } = ingress.meta
  const allowed = patternsOf(hosts, namespace) ?? []
  const instead = allowed.length === 0 ? "it may have none" : `write one of ${allowed.slice(0, 5).join(", ")}`
  return wantedHosts(ingress, prefix).flatMap((wanted) => {
    const { host, field } = wanted
    if (mayHave(hosts, namespace, host)) return []
    const what = host === "" ? "every host" : `host ${shown(host)}`
    const message = `${what} is not for namespace ${namespace}: ${instead} (admission-hosts)`
    return [{ wanted, field, message }]
  })
}
