// The filter ExternalAuth where a BackendTLSPolicy says how the service is verified: only a service that has shown who it is lets anybody in.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ask } from "../../../harness/http.ts"
import { type Json, secret, serviceOn } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { gateway, gatewayClass, gatewayObject, route } from "../../support/gateway-objects.ts"
import { Site } from "./site.ts"

const name = "auth.internal"
const app = new Echo()
let site: Site
let port = 0
let reloads = 0
let ca: Authority
let others: Authority
let gatewayPair: Identity
let service: Echo
let strange: Echo
/** Lets nobody in who shows no certificate of `ca`. */
let asking: Echo

beforeAll(async () => {
  ;[ca, others] = await Promise.all([rootAuthority(), rootAuthority()])
  ;[port = 0] = await freePorts(1)
  const own = await ca.issue({ cn: "auth", names: [name, "spiffe://demo/auth"] })
  gatewayPair = await ca.issue({ cn: "edge" })
  service = new Echo(serving(own))
  strange = new Echo(serving(await others.issue({ cn: "strange", names: [name] })))
  asking = new Echo({ ...serving(own), ca: ca.pem, requestCert: true, rejectUnauthorized: true })
  await Promise.all([app, service, strange, asking].map((echo) => echo.start()))
  site = await Site.start([], { flags: ["--gateway-addresses=127.0.0.1"] })
  const before = await counted()
  await put([policy("auth")])
  // The port of the listener was one.
  reloads = before + 1
  await until("the reload to be counted", async () => (await counted()) === reloads)
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await Promise.all([app, service, strange, asking].map((echo) => echo[Symbol.asyncDispose]()))
})
beforeEach(() => {
  for (const { asked } of [app, service, strange, asking]) asked.length = 0
})

const serving = ({ chainPem, keyPem }: Identity) => ({ cert: chainPem, key: keyPem })

const authority = (of: string, { pem }: Authority): Json => ({
  ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: of, namespace: "demo" } },
  data: { "ca.crt": pem },
})

/** @param more of its validation */
function policy(of: string, more: Json = {}): Json {
  const caCertificateRefs = [{ group: "", kind: "ConfigMap", name: "own" }]
  return gatewayObject("BackendTLSPolicy", `demo/${of}`, {
    targetRefs: [{ group: "", kind: "Service", name: of }],
    validation: { hostname: name, caCertificateRefs, ...more },
  })
}

const asks = (of: string): Json => ({
  type: "ExternalAuth",
  externalAuth: { protocol: "HTTP", backendRef: { name: of, port: 80 } },
})

const rule = (path: string, of: string): Json => ({
  matches: [{ path: { value: path } }],
  filters: [asks(of)],
  backendRefs: [{ name: "app", port: 80 }],
})

/** The name `other` is for the same endpoint as `auth`. @param gatewayTls of the Gateway */
function put(objects: readonly Json[], gatewayTls: Json = {}): Promise<void> {
  const services = { auth: service, other: service, strange, asking }
  return site.put(
    gatewayClass,
    gateway("demo/edge", [{ port, protocol: "HTTP" }], 0, { spec: gatewayTls }),
    route("HTTPRoute", "demo/all", "demo/edge", {
      rules: Object.keys(services).map((of) => rule(`/${of}`, of)),
    }),
    ...serviceOn("demo/app", [app.port]),
    ...Object.entries(services).flatMap(([of, echo]) => serviceOn(`demo/${of}`, [echo.port])),
    ...[authority("own", ca), authority("foreign", others), secret("demo/pair", gatewayPair.tlsData())],
    ...objects,
  )
}

const status = async (of = "auth") =>
  (await ask({ host: "127.0.0.1", port }, { path: `/${of}`, host: "shop.test" })).status

const counted = () => site.wick.metric("nginx_ingress_controller_success")
const expectOnlyPosts = async () => expect(await counted()).toBe(reloads)

describe("lets in", () => {
  test("by TLS with the policy's name, about the client's Host", async () => {
    await put([policy("auth")])
    expect(await status()).toBe(200)
    expect(service.last).toMatchObject({
      url: "/auth",
      headers: { host: "shop.test" },
      tls: { serverName: name, client: undefined },
    })
    service.answer = () => ({ status: 403 })
    expect(await status()).toBe(403)
    service.answer = () => ({})
    await expectOnlyPosts()
  })

  test("by an alternative name, whatever name is sent", async () => {
    const subjectAltNames = [{ type: "URI", uri: "spiffe://demo/auth" }]
    await put([policy("auth", { hostname: "sent.internal", subjectAltNames })])
    expect([await status(), service.last.tls?.serverName]).toEqual([200, "sent.internal"])
    await expectOnlyPosts()
  })

  test("with the Gateway's certificate, where the service asks for one", async () => {
    await put([policy("asking")])
    expect(await status("asking")).toBe(500)
    await put([policy("asking")], { tls: { backend: { clientCertificateRef: { name: "pair" } } } })
    expect([await status("asking"), asking.last.tls?.client]).toEqual([200, "edge"])
    await expectOnlyPosts()
  })
})

describe("lets nobody in", () => {
  test.each<[string, string, Json]>([
    ["with a certificate by another authority", "strange", {}],
    ["by an authority that is not the policy's", "auth", { caCertificateRefs: [ref("foreign")] }],
    ["by an authority that is not there", "auth", { caCertificateRefs: [ref("nowhere")] }],
    ["with a certificate for another name", "auth", { hostname: "other.internal" }],
    [
      "with a certificate without the alternative names",
      "auth",
      { subjectAltNames: [{ type: "Hostname", hostname: "other.internal" }] },
    ],
    ["by a name that is too long", "auth", { hostname: `${"a".repeat(60)}.${"b".repeat(60)}` }],
  ])("%s", async (_, of, validation) => {
    await put([policy(of, validation)])
    expect(await status(of)).toBe(500)
    expect([...app.asked, ...service.asked, ...strange.asked]).toEqual([])
    await expectOnlyPosts()
  })

  test("whose port is for HTTP/2", async () => {
    await put([
      policy("auth"),
      {
        ...{ apiVersion: "v1", kind: "Service", metadata: { name: "h2c", namespace: "demo" } },
        spec: { ports: [{ port: 80, appProtocol: "kubernetes.io/h2c" }] },
      },
      policy("h2c"),
      route("HTTPRoute", "demo/h2c", "demo/edge", { rules: [rule("/h2c", "h2c")] }),
    ])
    expect(await status("h2c")).toBe(500)
    await site.untilProblem("backend-protocol")
  })

  test("any more, when its authority is gone, until it is back", async () => {
    const by = (of: string) => [policy("auth", { caCertificateRefs: [ref(of)] })]
    await put([...by("renewed"), authority("renewed", ca)])
    expect(await status()).toBe(200)
    await put(by("renewed"))
    expect(await status()).toBe(500)
    await put([...by("renewed"), authority("renewed", others)])
    expect(await status()).toBe(500)
    await put([...by("renewed"), authority("renewed", ca)])
    expect(await status()).toBe(200)
    await expectOnlyPosts()
  })

  test("over a connection that was verified for another name", async () => {
    await put([policy("auth"), policy("other", { hostname: "other.internal" })])
    const names = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? "other" : "auth"))
    const statuses = await Promise.all(names.map((of) => status(of)))
    expect(statuses).toEqual(names.map((of) => (of === "auth" ? 200 : 500)))
    await expectOnlyPosts()
  })
})

function ref(of: string): Json {
  return { group: "", kind: "ConfigMap", name: of }
}
