import { referencesIn } from "../../controller/core/annotations/references.ts"
import { saidBy } from "../../controller/core/annotations/said.ts"
import type { Options } from "../../controller/core/options/flags.ts"
import { referencesInSettings } from "../../controller/core/options/references.ts"
import type { Settings } from "../../controller/core/options/settings.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"
import { type ObjectKey, qualifiedName } from "../../controller/model/objects/object.ts"
import type { Problem } from "../../controller/model/problem.ts"
import type { Snapshot } from "../../controller/model/snapshot.ts"
import { getOrMake } from "../../controller/support/maps.ts"
import { shortBackendName } from "./differences/conditions.ts"
import type { ReadIngress, Subject, Surroundings } from "./subject.ts"

/** What is the same for all Ingresses of a cluster. */
export function surroundingsOf(
  objects: Snapshot,
  options: Options,
  settings: Settings,
  settingProblems: readonly Problem[],
): Surroundings {
  const { configmap, annotationsPrefix } = options
  const ingresses = objects.ingresses.map((ingress) => ({ ingress, ...saidBy(ingress, annotationsPrefix) }))
  return {
    objects,
    ingresses,
    options,
    settings,
    configMap: configmap && objects.configMaps.get(qualifiedName(configmap)),
    settingProblems,
    byHost: byHost(ingresses),
    sharedBackendNames: sharedNames(objects.ingresses),
  }
}

/** Every Ingress, with the Problems that concern it. */
export function subjectsOf(around: Surroundings, problems: readonly Problem[]): readonly Subject[] {
  const byObject = Map.groupBy(problems, ({ object }) => keyText(object))
  return around.ingresses.map((read) => {
    const { ingress } = read
    const own = byObject.get(keyText({ kind: "Ingress", ...ingress.meta })) ?? []
    const used = [...new Set(usedBy(ingress, around).map(keyText))].flatMap((key) => byObject.get(key) ?? [])
    return { ...read, problems: [...own, ...used], around }
  })
}

/** Secrets and ConfigMaps that an Ingress names. */
export function namedBy(ingress: Ingress, prefix: string): readonly ObjectKey[] {
  const { namespace } = ingress.meta
  const certificates = ingress.tls.filter(({ secretName }) => secretName !== "")
  return [
    ...certificates.map(({ secretName }) => ({ kind: "Secret", namespace, name: secretName }) as const),
    ...referencesIn(ingress, prefix).filter(({ kind }) => kind !== "Service"),
  ]
}

/** All objects whose Problems concern it. */
function usedBy(ingress: Ingress, { objects, options }: Surroundings): readonly ObjectKey[] {
  const { namespace } = ingress.meta
  const backends = [
    ...(ingress.defaultBackend ? [ingress.defaultBackend] : []),
    ...ingress.rules.flatMap(({ paths = [] }) => paths.map(({ backend }) => backend)),
  ]
  const services = [
    ...backends.flatMap((backend) =>
      backend.kind === "service" ? [{ kind: "Service", namespace, name: backend.name } as const] : [],
    ),
    ...referencesIn(ingress, options.annotationsPrefix).filter(({ kind }) => kind === "Service"),
  ]
  const slices = services.flatMap((service) => objects.endpointSlices.get(qualifiedName(service)) ?? [])
  return [
    ...services,
    ...slices.map(({ kind, meta }) => ({ kind, namespace: meta.namespace, name: meta.name })),
    ...namedBy(ingress, options.annotationsPrefix),
  ]
}

function byHost(ingresses: readonly ReadIngress[]): ReadonlyMap<string, readonly ReadIngress[]> {
  const hosts = new Map<string, ReadIngress[]>()
  for (const read of ingresses)
    for (const host of new Set(read.ingress.rules.map((rule) => rule.host.toLowerCase() || "_")))
      getOrMake(hosts, host, () => []).push(read)
  return hosts
}

function sharedNames(ingresses: readonly Ingress[]): ReadonlySet<string> {
  const services = new Map<string, Set<string>>()
  for (const { meta, rules } of ingresses)
    for (const path of rules.flatMap(({ paths = [] }) => paths)) {
      const name = shortBackendName(meta.namespace, path)
      if (name === undefined || path.backend.kind !== "service") continue
      getOrMake(services, name, () => new Set()).add(`${meta.namespace}/${path.backend.name}`)
    }
  return new Set([...services].filter(([, keys]) => keys.size > 1).map(([name]) => name))
}

function keyText({ kind, namespace, name }: { kind: string; namespace: string; name: string }): string {
  return `${kind}/${namespace}/${name}`
}

/** Every Secret and ConfigMap that is named and not there yet. */
export function namedIn(objects: Snapshot, options: Options): readonly ObjectKey[] {
  const { configmap, defaultSslCertificate, annotationsPrefix } = options
  const { tcpServicesConfigmap, udpServicesConfigmap } = options
  const configMap = configmap && objects.configMaps.get(qualifiedName(configmap))
  const all: readonly ObjectKey[] = [
    ...objects.ingresses.flatMap((ingress) => namedBy(ingress, annotationsPrefix)),
    ...[configmap, tcpServicesConfigmap, udpServicesConfigmap].flatMap((named) =>
      named ? [{ kind: "ConfigMap", ...named } as const] : [],
    ),
    ...(defaultSslCertificate ? [{ kind: "Secret", ...defaultSslCertificate } as const] : []),
    ...(configMap ? referencesInSettings(configMap) : []),
  ]
  const missing = all.filter((key) => {
    const known = key.kind === "Secret" ? objects.secrets : objects.configMaps
    return !known.has(qualifiedName(key)) && key.kind !== "Service"
  })
  return [...new Map(missing.map((key) => [keyText(key), key])).values()]
}
