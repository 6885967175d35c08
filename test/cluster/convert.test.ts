// What `wick convert` prints, applied to a real API server with the definitions of the Gateway API: it knows every field, and its own rules judge them.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import type { GatewayObject } from "../../cli/convert/conversion.ts"
import { gatewayGroup } from "../../controller/model/objects/gateway/names.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { ApiError } from "../../harness/cluster/client.ts"
import { hasCorpus, readCorpus, servicesOf } from "../../harness/corpus.ts"
import { ingress, type Json, serviceOn, withTls } from "../../harness/manifests.ts"
import { root } from "../../harness/paths.ts"
import { until } from "../../harness/until.ts"
import { conversionOf } from "../support/conversions.ts"

const folder = join(root, "out/gateway-crds")
let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"))
  const definitions = texts.flatMap((text) => parseAllDocuments(text).map((it) => it.toJS() as Json))
  const own = definitions.filter(({ kind }) => kind === "CustomResourceDefinition")
  for (const definition of own) await applied("apiextensions.k8s.io/v1/customresourcedefinitions", definition)
  const isServed = (kind: string) =>
    server.admin.send("GET", `/apis/${gatewayGroup}/v1/${kind}`).then(
      () => true,
      () => false,
    )
  for (const kind of Object.values(plurals)) await until(`${kind} to be served`, () => isServed(kind))
})
afterAll(() => server.stop())

const plurals: Readonly<Record<GatewayObject["kind"], string>> = {
  Gateway: "gateways",
  ListenerSet: "listenersets",
  HTTPRoute: "httproutes",
  GRPCRoute: "grpcroutes",
  TLSRoute: "tlsroutes",
  BackendTLSPolicy: "backendtlspolicies",
  ReferenceGrant: "referencegrants",
}

/** As kubectl does it, but unknown fields are an error. @param path of the kind, with the namespace if it has one */
async function applied(path: string, object: Json | GatewayObject): Promise<unknown> {
  const { name } = object.metadata as { name: string }
  return server.admin.send("PATCH", `/apis/${path}/${name}`, {
    query: { fieldManager: "test", force: "true", fieldValidation: "Strict" },
    body: object,
    contentType: "application/apply-patch+yaml",
  })
}

function objectsFor(objects: readonly Json[], flags: readonly string[] = []): readonly GatewayObject[] {
  return conversionOf(objects, flags).objects
}

/** What the API server has against each of them. */
async function complaintsAbout(objects: readonly GatewayObject[]): Promise<readonly string[]> {
  const namespaces = new Set(objects.map(({ metadata: { namespace } }) => namespace))
  for (const name of namespaces)
    await server.admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } })
  const complaints: string[] = []
  for (const object of objects) {
    const { kind, metadata } = object
    await applied(`${gatewayGroup}/v1/namespaces/${metadata.namespace}/${plurals[kind]}`, object).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        complaints.push(`${kind} ${metadata.namespace}/${metadata.name}: ${error.message}`)
      },
    )
  }
  return complaints
}

test("the API server judges: an unknown field and a broken rule are said", async () => {
  const [gateway, route] = objectsFor([ingress("a/a", "a.test/ → app:80")])
  if (gateway === undefined || route === undefined) throw new Error("Nothing was converted")
  const unknown = { ...gateway, spec: { ...gateway.spec, invented: true } }
  const broken = {
    ...route,
    spec: { ...route.spec, rules: [{ matches: [{ path: { type: "Exact", value: "/a//b" } }] }] },
  }
  expect(await complaintsAbout([unknown, broken])).toEqual([
    expect.stringContaining("invented"),
    expect.stringContaining("must not contain '//'"),
  ])
})

test("each kind of route, filter and policy", async () => {
  const cors = { "enable-cors": "true", "cors-expose-headers": "*", "upstream-vhost": "b.test" }
  const objects = [
    withTls(ingress("a/web", ["a.test/ → app:80", "a.test/x =→ app:80"], cors), "a.test,*.a.test=cert"),
    ingress("a/new", "a.test/ → new:80", {
      canary: "true",
      "canary-weight": "30",
      "canary-by-header": "X-New",
      "canary-by-header-pattern": "^a",
    }),
    ingress("a/api", "b.test/api(/|$)(.*) ~→ app:80", {
      "rewrite-target": "/v2/$2",
      "proxy-next-upstream-tries": "3",
    }),
    ingress("a/re", "c.test/[a-z]+$ ~→ app:80", { "use-regex": "true", "app-root": "/start" }),
    ingress("a/old", "d.test/old → app:80", {
      "permanent-redirect": "https://e.test:8443/new",
      "from-to-www-redirect": "true",
    }),
    ingress("a/grpc", "g.test/shop.Cart/Add =→ app:80", { "backend-protocol": "GRPCS" }),
    ingress("a/tls", "t.test/ → app:443", { "ssl-passthrough": "true" }),
    ingress("a/all", "* → app:80"),
    ingress("a/shut", "s.test/ → app:80", { "auth-url": "https://auth.test/" }),
    ...serviceOn("a/app", [80]),
  ]
  const converted = objectsFor(objects, ["--enable-ssl-passthrough"])
  expect(new Set(converted.map(({ kind }) => kind))).toEqual(
    new Set(Object.keys(plurals).filter((kind) => kind !== "ListenerSet")),
  )
  expect(await complaintsAbout(converted)).toEqual([])
})

describe.skipIf(!hasCorpus)("598 published Ingresses", () => {
  test("come to objects that the API server takes, all of them", async () => {
    const ingresses = hasCorpus ? readCorpus().map(({ ingress: it }) => it) : []
    const converted = objectsFor([...ingresses, ...servicesOf(ingresses, 80)])
    expect(converted.length).toBeGreaterThan(ingresses.length)
    expect(new Set(converted.map(({ kind }) => kind))).toContain("ListenerSet")
    expect(await complaintsAbout(converted)).toEqual([])
  })
})
