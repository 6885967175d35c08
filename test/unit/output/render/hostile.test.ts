// Whatever stands in the objects of users, nginx.conf has the shape that harmless values give it: their text is data in it, never syntax.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { annotations } from "../../../../controller/core/annotations/table.ts"
import { ownPrefix } from "../../../../controller/core/options/conflicts.ts"
import { keys, unneededKeys } from "../../../../controller/core/options/key-table.ts"
import { unusedKeys } from "../../../../controller/core/options/keys/unused.ts"
import { parseNginxSyntax } from "../../../../controller/core/snippets/syntax.ts"
import type { Change } from "../../../../controller/input/provider/source.ts"
import { keyOf } from "../../../../controller/model/objects/object.ts"
import { loadRender } from "../../../../controller/output/render/render.ts"
import { tlsData } from "../../../../harness/certificates.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
} from "../../../../harness/manifests.ts"
import { changesOf, optionsOf, Passes } from "../../../../harness/translation.ts"
import { hostile } from "../../../support/hostile.ts"
import { shapeOf } from "../../../support/nginx-shape.ts"
import { runs } from "../../../support/runs.ts"
import { site } from "./site.ts"

/** Directives that stand once for each item of a list that a user writes. */
const listed = new Set(["deny", "env", "proxy_hide_header", "grpc_hide_header", "fastcgi_hide_header"])

const options = optionsOf(["--configmap=wick/settings"])
const render = loadRender()
const shapes = new Map<string, string>()

/** Shape of what the controller prints for these objects. */
function shape(objects: readonly Json[]): string {
  go(objects)
  const { fixed } = passes.translation().model
  const key = JSON.stringify(fixed)
  const known = shapes.get(key)
  if (known !== undefined) return known
  const made = shapeOf(parseNginxSyntax(render(fixed, site).text), (name) => listed.has(name))
  shapes.set(key, made)
  return made
}

type SetChange = Extract<Change, { kind: "set" }>

/** One controller sees the worlds one after the other: most objects stay, and it makes of the others what a new one would make. */
const passes = new Passes(options)
let present: ReadonlyMap<string, SetChange> = new Map()
const read = new WeakMap<Json, SetChange[]>()

function go(objects: readonly Json[]): void {
  const wanted = new Map(objects.flatMap(setsOnce).map((set) => [nameOf(set), set]))
  const gone = [...present.values()].filter((set) => !wanted.has(nameOf(set)))
  passes.apply([
    ...gone.map(({ object }): Change => ({ kind: "delete", key: keyOf(object) })),
    ...[...wanted.values()].filter((set) => present.get(nameOf(set)) !== set),
  ])
  present = wanted
}

function setsOnce(object: Json): SetChange[] {
  const sets = read.get(object) ?? changesOf(object, "test").filter((change) => change.kind === "set")
  read.set(object, sets)
  return sets
}

const nameOf = ({ object }: SetChange) => JSON.stringify(keyOf(object))

type Texts = Readonly<Record<string, string>>

/** What the Ingresses may name. */
const surroundings: readonly Json[] = [
  ingressClass,
  ...["shop/web", "shop/errors"].flatMap((name) => [service(name), slice(name, ["10.0.0.1"], 80)]),
  settings("shop/headers", { "X-Shop": "cart" }),
  settings("shop/fastcgi", { SCRIPT_FILENAME: "/app/index.php" }),
  secret("shop/backend-tls", tlsData),
]

/** One Ingress with these annotations and a ConfigMap of settings. */
function worldOf(annotations: Texts, data: Texts = {}): Json[] {
  return [
    ...surroundings,
    ingress("shop/own", "shop.example.com/shop → web:80", annotations),
    settings("wick/settings", { "global-allowed-response-headers": "X-Shop", ...data }),
  ]
}

const world = worldOf({})

const marker = "zqx"

/** What may take the place of a value that looks like `example`: alone, in front of it, behind it, around it. */
function attacks(example: string): fc.Arbitrary<string> {
  const valid = fc.constantFrom("", example, marker, "/", "5", "https://example.com/", "$request_uri")
  const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ maxLength: 20 }))
  return fc.tuple(valid, text, valid).map((parts) => parts.join(""))
}

/** What is tried at every place. */
const certain = [
  '"',
  "'",
  "\\",
  ";",
  "{",
  "}",
  "#",
  "$",
  "\0",
  "\n",
  'x"; } y { z;',
  "a".repeat(65_536),
  "a".repeat(4095),
  " é".repeat(1365),
  '"'.repeat(4000),
]

/** What users write without ill will, at any place. */
const harmless = ["", "true", "false", "on", "off", "5", "404", "a", "/a", "a b", "http://a.test/"]

/** @param make the world with a text at the place in question */
function check(example: string, make: (text: string) => readonly Json[]): void {
  const usual = new Set([world, make(example)].map(shape))
  const isUsual = (text: string) => {
    const found = shape(make(text))
    if (usual.has(found)) return
    // Most places have one shape or two: the others are made for those that have more.
    for (const value of harmless) usual.add(shape(make(value)))
    if (!usual.has(found)) expect(found).toBe([...usual][0])
  }
  for (const text of certain) isUsual(`${example}${text}`)
  fc.assert(fc.property(attacks(example), isUsual), runs(5))
}

/** An Ingress beside the others that is not as the API server lets them through. */
function odd(meta: Json, spec: Json): Json[] {
  const { apiVersion, kind } = ingress("shop/odd", "odd.example.com/ → web:80")
  const metadata = { namespace: "shop", name: "odd", ...meta }
  return [...world, { apiVersion, kind, metadata, spec: { ingressClassName: "nginx", ...spec } }]
}

function oddRule(host: string, path: string, pathType: string, name: string, port: Json): Json {
  return { rules: [{ host, http: { paths: [{ path, pathType, backend: { service: { name, port } } }] } }] }
}

const web = oddRule("odd.example.com", "/", "Prefix", "web", { number: 80 })

/** A ConfigMap that an annotation or key refers to, in the place of the one in `world`. */
function referred(name: string, data: Texts, annotations: Texts, keys: Texts = {}): Json[] {
  return [...worldOf(annotations, keys), settings(name, data)]
}

const custom = { "custom-headers": "shop/headers" }
const fastcgi = { "backend-protocol": "FCGI", "fastcgi-params-configmap": "shop/fastcgi" }

const places: Readonly<Record<string, (text: string) => Json[]>> = {
  host: (text) => odd({}, oddRule(text, "/", "Prefix", "web", { number: 80 })),
  "exact path": (text) => odd({}, oddRule("odd.example.com", `/${text}`, "Exact", "web", { number: 80 })),
  path: (text) => odd({}, oddRule("odd.example.com", `/${text}`, "Prefix", "web", { number: 80 })),
  "path that is a pattern": (text) =>
    odd(
      { annotations: { "nginx.ingress.kubernetes.io/rewrite-target": "/$1" } },
      oddRule("odd.example.com", `/${text}`, "ImplementationSpecific", "web", { number: 80 }),
    ),
  "name of a Service": (text) => odd({}, oddRule("odd.example.com", "/", "Prefix", text, { number: 80 })),
  "name of a port": (text) => odd({}, oddRule("odd.example.com", "/", "Prefix", "web", { name: text })),
  "name of an Ingress": (text) => odd({ name: text }, web),
  "namespace of an Ingress": (text) => odd({ namespace: text }, web),
  "uid of an Ingress": (text) => odd({ uid: text }, web),
  "class of an Ingress": (text) => odd({}, { ...web, ingressClassName: text }),
  "name of an annotation": (text) =>
    odd({ annotations: { [`nginx.ingress.kubernetes.io/${text}`]: "5" } }, web),
  "name of a key": (text) => worldOf({}, { [text]: "5" }),
  "name of a Service that exists": (text) => [...world, service(`shop/${text}`)],
  "address of an endpoint": (text) => [...world, slice("shop/web", [text], 80, "more")],
  "name of an external Service": (text) => [
    ...world,
    {
      ...service("shop/external"),
      spec: { type: "ExternalName", externalName: text, ports: [{ port: 80, protocol: "TCP" }] },
    },
    ingress("shop/external", "external.example.com/ → external:80"),
  ],
  "name of a header of responses": (text) => referred("shop/headers", { [text]: "a" }, custom),
  "header of responses": (text) => referred("shop/headers", { "X-Shop": text }, custom),
  "name of a parameter of FastCGI": (text) => referred("shop/fastcgi", { [text]: "a" }, fastcgi),
  "parameter of FastCGI": (text) => referred("shop/fastcgi", { SCRIPT_FILENAME: text }, fastcgi),
  ...Object.fromEntries(
    ["add-headers", "proxy-set-headers"].flatMap((key) => [
      [
        `name of a header of ${key}`,
        (text: string) => referred("shop/headers", { [text]: "a" }, {}, { [key]: "shop/headers" }),
      ],
      [
        `header of ${key}`,
        (text: string) => referred("shop/headers", { "X-Shop": text }, {}, { [key]: "shop/headers" }),
      ],
    ]),
  ),
}

describe("nginx.conf keeps its shape", () => {
  test.each(
    annotations.map((entry) => [entry.name, entry] as const),
  )("with any text in annotation %s", (_, entry) => {
    const { example, exampleWith, isOwn, name } = entry
    const key = isOwn ? `${ownPrefix}/${name}` : name
    check(example, (text) => worldOf({ ...exampleWith?.annotations, [key]: text }))
  })

  test.each(keys.map((entry) => [entry.name, entry] as const))("with any text in key %s", (name, {
    example,
  }) => {
    check(example, (text) => worldOf({}, { [name]: text }))
  })

  test("with any text in all that has no effect", () => {
    const names = [...unneededKeys.map(({ name }) => name), ...Object.keys(unusedKeys)]
    check("on", (text) => worldOf({}, Object.fromEntries(names.map((name) => [name, text]))))
  })

  test.each(Object.keys(places))("with any text as %s", (place) => {
    check("a", (text) => places[place]?.(text) ?? [])
  })
})
