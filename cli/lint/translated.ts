import { parseSettings } from "../../controller/core/options/configmap.ts"
import type { Options } from "../../controller/core/options/flags.ts"
import { type Translation, translate, translateOptions } from "../../controller/core/translate/translate.ts"
import { knownOf } from "../../controller/facts/secrets/secrets.ts"
import { allCapabilities } from "../../controller/model/capabilities.ts"
import { type Facts, noFacts } from "../../controller/model/facts.ts"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import type { Snapshot } from "../../controller/model/snapshot.ts"
import type { Subject, Surroundings } from "./subject.ts"
import { subjectsOf, surroundingsOf } from "./subjects.ts"

/** What the controller's own translation makes of objects that nobody serves yet. */
export interface Translated {
  readonly translation: Translation
  readonly around: Surroundings
  /** every Ingress with what is known about it */
  readonly subjects: readonly Subject[]
}

/** @param nowMs when certificates are judged, milliseconds since 1970 */
export function translated(objects: Snapshot, options: Options, nowMs: number): Translated {
  const { settings, problems: settingProblems } = settingsOf(objects, options)
  const translation = translate(objects, factsOf(objects, nowMs), settings, translateOptions(options))
  const around = surroundingsOf(objects, options, settings, settingProblems)
  const subjects = subjectsOf(around, [...objects.problems, ...translation.problems])
  return { translation, around, subjects }
}

function settingsOf(objects: Snapshot, { configmap, httpPort, httpsPort }: Options) {
  const configMap = configmap && objects.configMaps.get(qualifiedName(configmap))
  return parseSettings(configMap, undefined, {
    configMap: (name) => objects.configMaps.get(name),
    secret: (name) => objects.secrets.get(name),
    capabilities: allCapabilities,
    ports: new Set([httpPort, httpsPort]),
  })
}

/** DNS and OCSP are not asked: what they say is not up to who writes objects. */
function factsOf({ secrets }: Snapshot, nowMs: number): Facts {
  const known = [...secrets].map(([name, secret]) => [name, knownOf(secret, undefined, nowMs).state] as const)
  return { ...noFacts, tlsSecrets: new Map(known) }
}
