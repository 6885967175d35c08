// Examples of the documentation, applied: wick reads each fenced block of YAML, and reports no Problem that the page does not announce.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { configMapKeys } from "../../../controller/core/annotations/table.ts"
import { parseObject } from "../../../controller/model/objects/parse.ts"
import { ingress, ingressClass, type Json, settings } from "../../../harness/manifests.ts"
import { root } from "../../../harness/paths.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"
import {
  documentsOf,
  type Example,
  examplesOf,
  inNamespace,
  isObject,
  type KubernetesObject,
  pages,
} from "../../support/examples.ts"
import { lackingBeside } from "../../support/surroundings.ts"

const examples = pages.flatMap(examplesOf)
const authority = await rootAuthority()

test.each(
  examples.map((example) => [`${example.page}:${example.line}`, example] as const),
)("%s is read, and is what the page says", async (_, example) => {
  const found = await problemsOf(example)
  expect(found.filter(([code]) => !example.problems.includes(code))).toEqual([])
  const codes = new Set(found.map(([code]) => code))
  expect(example.problems.filter((code) => !codes.has(code))).toEqual([])
})

type Texts = Readonly<Record<string, string>>
/** Its code, and what it says. */
type Problem = readonly [string, string]

/** Objects; else values of the chart, keys of the ConfigMap, or annotations. */
async function problemsOf(example: Example): Promise<Problem[]> {
  const documents = documentsOf(example)
  if (documents.every(isObject)) return await ofObjects(documents)
  return (await Promise.all(documents.map((document) => ofFragment(document as Json)))).flat()
}

function ofFragment(fragment: Json): Problem[] | Promise<Problem[]> {
  const keys = Object.keys(fragment)
  if (keys.every((key) => key in chartValues)) return ofValues(fragment)
  if (keys.every((key) => key.includes("/"))) return ofAnnotations(fragment as Texts)
  return ofSettings((keys.join() === "data" ? fragment.data : fragment) as Texts)
}

/** Kinds of others that pages show. */
const foreign = [
  "Canary",
  "Certificate",
  "ClusterIssuer",
  "Deployment",
  "IPAddressPool",
  "L2Advertisement",
  "Rollout",
]

async function ofObjects(objects: readonly KubernetesObject[]): Promise<Problem[]> {
  const own = objects.filter((object) => !isForeign(object)).map((object) => inNamespace(object, "default"))
  const unknown = objects.filter((object) => isForeign(object) && !foreign.includes(object.kind))
  return [
    ...unknown.map(({ kind }) => ["kind-unknown", kind] as const),
    ...translated([...own, ...(await lackingBeside(own, authority))], configMapFlags(own)),
  ]
}

function isForeign(object: KubernetesObject): boolean {
  return parseObject(object, { origin: "page", firstSeenMs: () => 0 }).kind === "ignored"
}

/** A ConfigMap with keys of ours is the controller's. */
function configMapFlags(objects: readonly KubernetesObject[]): string[] {
  const hasKeys = (data: Texts) => Object.keys(data).some((key) => configMapKeys.has(key))
  const own = objects.find(({ kind, data }) => kind === "ConfigMap" && hasKeys(data as Texts))
  return own === undefined ? [] : [`--configmap=${own.metadata.namespace}/${own.metadata.name}`]
}

/** Keys whose value is the name of another ConfigMap. */
const namingConfigMaps = ["add-headers", "policies-configmap", "proxy-set-headers"]

function ofSettings(data: Texts): Problem[] {
  const named = namingConfigMaps.flatMap((key) => data[key] ?? []).map((name) => settings(name, {}))
  return translated([settings("default/settings", data), ...named], ["--configmap=default/settings"])
}

async function ofAnnotations(annotations: Texts): Promise<Problem[]> {
  const own = ingress("default/shop", "shop.example.com/ → shop:80", {
    ...neededFor(annotations),
    ...annotations,
  })
  return translated([own, ...(await lackingBeside([own], authority))])
}

/** Annotations that these do nothing without, and that the page shows elsewhere. */
function neededFor(annotations: Texts): Texts {
  const url = "http://auth.default.svc.cluster.local/verify"
  return Object.keys(annotations).some((key) => key.includes("/auth-cache")) ? { "auth-url": url } : {}
}

function translated(objects: readonly Json[], flags: readonly string[] = []): Problem[] {
  const options = optionsOf(["--enable-ssl-passthrough", ...flags])
  const changes = [ingressClass, ...objects].flatMap((object) => changesOf(object, "page"))
  return translationOf(changes, options).problems.map(({ code, message }) => [code, message])
}

const chartValues = parse(readFileSync(join(root, "deploy/chart/values.yaml"), "utf8")) as Json

/** Values that the chart does not know, and what is wrong with settings and flags among them. */
function ofValues(values: Json): Problem[] {
  const { controller = {} } = values as { controller?: { config?: Texts; extraArgs?: Texts } }
  // Throws when there is no such flag.
  optionsOf(Object.entries(controller.extraArgs ?? {}).map(([name, value]) => `--${name}=${value}`))
  return [
    ...unknownIn(values, chartValues, "").map((path) => ["value-unknown", path] as const),
    ...ofSettings(controller.config ?? {}),
  ]
}

function unknownIn(values: Json, known: Json, path: string): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (!(key in known)) return [`${path}${key}`]
    const inner = known[key]
    const hasKeys = isMap(inner) && Object.keys(inner).length > 0
    return isMap(value) && hasKeys ? unknownIn(value, inner, `${path}${key}.`) : []
  })
}

function isMap(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
