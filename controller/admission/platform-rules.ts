import { type HostRules, mayHave, patternsOf } from "../core/options/keys/host-rules.ts"
import type { Settings } from "../core/options/settings.ts"
import { annotationPath, annotationsPath, fieldPath } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { shown } from "../model/shown.ts"
import type { Finding } from "./finding.ts"

// What those who run the platform ask of every Ingress, by keys of the ConfigMap.

export interface PlatformRules {
  readonly settings: Pick<Settings, "requiredAnnotations" | "forbiddenAnnotations" | "hostRules">
  /** `--annotations-prefix` */
  readonly prefix: string
}

export function platformFaults(ingress: Ingress, { settings, prefix }: PlatformRules): readonly Finding[] {
  const whole = (name: string) => (name.includes("/") ? name : `${prefix}/${name}`)
  return [
    ...missing(ingress, settings.requiredAnnotations.map(whole)),
    ...forbidden(ingress, settings.forbiddenAnnotations.map(whole)),
    ...foreignHosts(ingress, settings.hostRules),
  ]
}

function missing({ meta }: Ingress, keys: readonly string[]): readonly Finding[] {
  return keys
    .filter((key) => (meta.annotations[key] ?? "") === "")
    .map((key) => ({
      field: annotationsPath,
      message: `annotation ${shown(key)} is missing: everybody has to write it here (admission-required-annotations)`,
    }))
}

function forbidden({ meta }: Ingress, keys: readonly string[]): readonly Finding[] {
  return keys
    .filter((key) => meta.annotations[key] !== undefined)
    .map((key) => ({
      field: annotationPath(key),
      message: `annotation ${shown(key)} is not allowed here: remove it (admission-forbidden-annotations)`,
    }))
}

function foreignHosts({ meta, rules }: Ingress, hosts: HostRules | undefined): readonly Finding[] {
  const { namespace } = meta
  const allowed = patternsOf(hosts, namespace) ?? []
  const instead = allowed.length === 0 ? "it may have none" : `write one of ${allowed.slice(0, 5).join(", ")}`
  return rules.flatMap(({ host }, at) => {
    if (mayHave(hosts, namespace, host.toLowerCase())) return []
    const what = host === "" ? "every host" : `host ${shown(host)}`
    const message = `${what} is not for namespace ${namespace}: ${instead} (admission-hosts)`
    return [{ field: fieldPath("spec", "rules", at, "host"), message }]
  })
}
