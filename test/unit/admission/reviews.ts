import { differencesOfCandidate } from "../../../cli/lint/candidate.ts"
import { Admission, type CheckReport } from "../../../controller/admission/admission.ts"
import { PathOwners } from "../../../controller/admission/path-owners.ts"
import type { Answer } from "../../../controller/admission/server.ts"
import type { Standing } from "../../../controller/core/gateway/candidate.ts"
import type { TranslateOptions } from "../../../controller/core/options/translation.ts"
import { noGatewayObjects } from "../../../controller/model/gateway-objects.ts"
import type { ConfigMap } from "../../../controller/model/objects/config-map.ts"
import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import { parseObject } from "../../../controller/model/objects/parse.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { meta, options } from "../../../harness/objects.ts"
import { optionsOf } from "../../../harness/translation.ts"

// Requests as an API server sends them, and a webhook with some Ingresses around it.

const uid = "0b2f4a3c-1d5e-4f60-8a7b-9c0d1e2f3a4b"

/** As the API server hands it on: it has given it an identity. */
export function submitted(object: Json, fields: Json = {}): Json {
  return { ...object, metadata: { uid, ...(object.metadata as Json), ...fields } }
}

export function review(object: unknown, request: Json = {}): string {
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "of-the-request",
      kind: { group: "networking.k8s.io", version: "v1", kind: "Ingress" },
      operation: "CREATE",
      object,
      ...request,
    },
  })
}

interface World {
  readonly others?: readonly Json[]
  readonly settings?: Readonly<Record<string, string>>
  readonly flags?: Partial<TranslateOptions>
  readonly inspects?: boolean
  readonly isOurs?: (ingress: Ingress) => boolean
  readonly areComplete?: () => boolean
  /** of the Gateway API */
  readonly standing?: Standing
  readonly isWatched?: (namespace: string) => boolean
}

/** A webhook. Whatever has the class `nginx` is ours. */
export function webhook(world: World = {}) {
  const { others = [], settings = {}, flags = {}, inspects = true } = world
  const reports: CheckReport[] = []
  const owners = new PathOwners(flags.annotationsPrefix ?? options.annotationsPrefix)
  for (const other of others) owners.replace(undefined, parsed(other))
  const configMap: ConfigMap = { kind: "ConfigMap", meta: meta("wick/settings"), data: settings }
  const silent = () => {}
  const admission = new Admission({
    objects: {
      areComplete: world.areComplete ?? (() => true),
      owners,
      isOurs: world.isOurs ?? (({ className }) => className === "nginx"),
      configMap: () => configMap,
      standing: () => world.standing ?? { gateway: noGatewayObjects, services: new Map() },
      isWatched: world.isWatched ?? (() => true),
    },
    options: { ...options, ...flags },
    inspects,
    differencesOf: (ingress, settings) =>
      differencesOfCandidate(ingress, {
        options: optionsOf([]),
        settings,
        configMap,
        service: () => undefined,
      }),
    checked: (report) => reports.push(report),
    log: { info: silent, warn: silent, error: silent },
  })
  return { admission, reports, ask: (text: string) => admission.answer(text) }
}

function parsed(object: Json): Ingress {
  const read = parseObject(object, { firstSeenMs: () => 0, origin: "" })
  if (read.kind !== "object" || read.object.kind !== "Ingress") throw new Error("This is no Ingress")
  return read.object
}

/** What `kubectl` would show: "" when it was let in. */
export function refusalOf({ body = "{}" }: Answer): string {
  return JSON.parse(body).response?.status?.message ?? ""
}

export function warningsOf({ body = "{}" }: Answer): readonly string[] {
  return JSON.parse(body).response?.warnings ?? []
}

/** Asks about a new Ingress. */
export function asked(world: World, ...of: Parameters<typeof ingress>): Answer {
  return webhook(world).ask(review(submitted(ingress(...of))))
}
