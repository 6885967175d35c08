// TLS towards backends is data: no annotation and no BackendTLSPolicy about it needs a reload, and none of them is taken for another one.
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2"
import { connect } from "node:net"
import { connect as connectTls } from "node:tls"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Asked, Echo } from "../../../harness/echo.ts"
import { call, GrpcServer } from "../../../harness/grpc.ts"
import { ask } from "../../../harness/http.ts"
import { ingress, type Json, secret, serviceOn } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

const api = "gateway.networking.k8s.io/v1"
const name = "backend.internal"
let site: Site
let port = 0
let ca: Authority
let others: Authority
let echo: Echo
let strange: Echo
const clients = new Map<string, Identity>()

const serving = (identity: Identity, by: Authority) => ({
  ...{ cert: identity.chainPem, key: identity.keyPem, ca: by.pem },
  ...{ requestCert: true, rejectUnauthorized: false },
})

beforeAll(async () => {
  ;[ca, others] = await Promise.all([rootAuthority(), rootAuthority()])
  ;[port = 0] = await freePorts(1)
  echo = await new Echo(
    serving(await ca.issue({ cn: "echo", names: [name, "spiffe://demo/echo"] }), ca),
  ).start()
  strange = await new Echo(serving(await others.issue({ cn: "strange", names: [name] }), others)).start()
  for (const cn of ["first", "second", "renewed"]) clients.set(cn, await ca.issue({ cn }))
  site = await Site.start([], { flags: ["--gateway-addresses=127.0.0.1"] })
  reloads = await site.wick.metric("nginx_ingress_controller_success")
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
  await strange[Symbol.asyncDispose]()
})

let reloads = 0
const expectOnlyPosts = async () =>
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)

/** A Secret with the authority, and the certificate of a client. */
function tlsSecret(of: string, authority = ca, object = `demo/${of}`): Json {
  return secret(object, { ...clients.get(of)?.tlsData(), "ca.crt": authority.pem })
}

const usual = { "backend-protocol": "HTTPS", "proxy-ssl-name": name, "proxy-ssl-server-name": "on" }

function annotated(annotations: Record<string, string>, to = echo, ...more: readonly Json[]): Json[] {
  const own = { ...usual, ...annotations }
  return [ingress("demo/foo", "foo.test/ → foo:80", own), ...serviceOn("demo/foo", [to.port]), ...more]
}

async function tlsOf(host = "foo.test", path = "/"): Promise<Asked["tls"] | number> {
  const answer = await site.wick.get(path, { host })
  return answer.status === 200 ? (answer.json() as Asked).tls : answer.status
}

describe("by annotations", () => {
  const verified = { "proxy-ssl-secret": "demo/first", "proxy-ssl-verify": "on" }

  test("on, with another certificate, by another authority, for another name, and off: posts alone", async () => {
    await site.put(...annotated(verified, echo, tlsSecret("first")))
    await until("the certificate", async () => (await asked())?.client === "first")
    expect(await tlsOf()).toEqual({ client: "first", serverName: name })
    await site.put(
      ...annotated({ ...verified, "proxy-ssl-secret": "demo/second" }, echo, tlsSecret("second")),
    )
    await until("the other certificate", async () => (await asked())?.client === "second")
    await site.put(...annotated(verified, echo, tlsSecret("first", others)))
    await until("the other authority", async () => (await tlsOf()) === 502)
    await site.put(...annotated({ ...verified, "proxy-ssl-name": "other.test" }, echo, tlsSecret("first")))
    await until("the other name", async () => (await tlsOf()) === 502)
    await site.put(...annotated({ "proxy-ssl-server-name": "off" }))
    await until("no name", async () => (await asked())?.serverName === false)
    expect(await tlsOf()).toEqual({ client: undefined, serverName: false })
    await expectOnlyPosts()
  })

  test("an endpoint that is not verified gets nothing to read", async () => {
    await site.put(...annotated(verified, strange, tlsSecret("first")))
    const before = strange.asked.length
    for (let n = 0; n < 8; n += 1) expect(await tlsOf()).toBe(502)
    expect(strange.asked.length).toBe(before)
    await expectOnlyPosts()
  })

  test("a renewed certificate and a renewed authority are shown and asked for from the next handshake on", async () => {
    await site.put(...annotated(verified, echo, tlsSecret("first")))
    await until("the certificate", async () => (await asked())?.client === "first")
    await site.put(...annotated(verified, echo, tlsSecret("renewed", ca, "demo/first")))
    await until("the renewed one", async () => (await asked())?.client === "renewed")
    await site.put(...annotated(verified, strange, tlsSecret("renewed", ca, "demo/first")))
    await until("the wrong authority", async () => (await tlsOf()) === 502)
    await site.put(...annotated(verified, strange, tlsSecret("renewed", others, "demo/first")))
    await until("the right one", async () => (await asked())?.serverName === name)
    await expectOnlyPosts()
  })

  test("two paths to one endpoint never have each other's connection", async () => {
    const path = (of: string) =>
      ingress(`demo/${of}`, `foo.test/${of} → foo:80`, {
        ...usual,
        ...verified,
        "proxy-ssl-secret": `demo/${of}`,
      })
    const secrets = [tlsSecret("first"), tlsSecret("second")]
    await site.put(path("first"), path("second"), ...serviceOn("demo/foo", [echo.port]), ...secrets)
    await until("both", async () => (await asked("/first"))?.client === "first")
    await until("both", async () => (await asked("/second"))?.client === "second")
    const connections = echo.connections
    const questions = Array.from({ length: 200 }, (_, at) => (at % 3 === 0 ? "first" : "second"))
    const told = await Promise.all(questions.map((of) => asked(`/${of}`)))
    expect(told.map((it) => it?.client)).toEqual(questions)
    // They do keep their own.
    expect(echo.connections - connections).toBeLessThan(questions.length)
    await expectOnlyPosts()
  })

  test("a WebSocket goes over it, and AUTO_HTTP has it where the client speaks TLS", async () => {
    await site.put(...annotated(verified, echo, tlsSecret("first")))
    await until("the certificate", async () => (await asked())?.client === "first")
    const head = "GET / HTTP/1.1\r\nHost: foo.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    const socket = connect(site.wick.port, "127.0.0.1")
    const heard: string[] = []
    socket.setEncoding("utf8").on("data", (text: string) => heard.push(text))
    socket.write(head)
    await until("the upgrade", async () => heard.join("").includes("101 Switching Protocols"))
    socket.write("ping")
    await until("the echo", async () => heard.join("").endsWith("ping"))
    socket.destroy()
    await expectOnlyPosts()
    await site.put(...annotated({ ...verified, "backend-protocol": "AUTO_HTTP" }, echo, tlsSecret("first")))
    const overTls = () =>
      ask({ port: site.wick.httpsPort, agent: tlsAgent() }, { host: "foo.test", path: "/" })
    await until("AUTO_HTTP", async () => (await overTls()).status === 200 && (await tlsOf()) !== 200)
    expect(((await overTls()).json() as Asked).tls?.client).toBe("first")
  })

  async function asked(path = "/"): Promise<Asked["tls"]> {
    const tls = await tlsOf("foo.test", path)
    return typeof tls === "number" ? undefined : tls
  }
})

describe("gRPC", () => {
  test("an endpoint is verified, and asked by HTTP/2", async () => {
    const identity = await ca.issue({ cn: "grpc", names: [name] })
    const server = await new GrpcServer("g", serving(identity, ca)).start()
    const own = {
      ...usual,
      "backend-protocol": "GRPCS",
      "proxy-ssl-secret": "demo/first",
      "proxy-ssl-verify": "on",
    }
    const objects = (authority: Authority) => [
      ingress("demo/foo", "foo.test/ → foo:80", own),
      ...serviceOn("demo/foo", [server.port]),
      tlsSecret("first", authority),
    ]
    await site.put(...objects(ca))
    await until("an answer", async () => (await said()) === "0")
    const before = await site.wick.metric("nginx_ingress_controller_success")
    await site.put(...objects(others))
    await until("no answer", async () => (await said()) !== "0")
    await site.put(...objects(ca))
    await until("an answer", async () => (await said()) === "0")
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(before)
    server.stop()
  })

  async function said(): Promise<unknown> {
    const socket = connectTls({
      ...{ host: "127.0.0.1", port: site.wick.httpsPort, servername: "foo.test" },
      ...{ ALPNProtocols: ["h2"], rejectUnauthorized: false },
    })
    const session: ClientHttp2Session = connectHttp2("https://foo.test", { createConnection: () => socket })
    session.on("error", () => {})
    try {
      return (await call(session, "/echo/say", "hi")).grpcStatus
    } catch {
      return undefined
    } finally {
      session.destroy()
    }
  }
})

describe("by BackendTLSPolicies", () => {
  const object = (kind: string, of: string, spec: Json): Json => ({
    ...{ apiVersion: api, kind, metadata: { name: of, namespace: "demo" } },
    spec,
  })
  const policy = (of: string, by: string, more: Json = {}): Json =>
    object("BackendTLSPolicy", of, {
      targetRefs: [{ group: "", kind: "Service", name: of }],
      validation: {
        hostname: name,
        caCertificateRefs: [{ group: "", kind: "ConfigMap", name: by }],
        ...more,
      },
    })
  const authority = (of: string, by: Authority): Json => ({
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: of, namespace: "demo" } },
    data: { "ca.crt": by.pem },
  })
  const served = (policies: readonly Json[], weights = [1, 1]): Json[] => [
    {
      apiVersion: api,
      kind: "GatewayClass",
      metadata: { name: "wick" },
      spec: { controllerName: "wick.dev/gateway" },
    },
    object("Gateway", "edge", {
      gatewayClassName: "wick",
      listeners: [{ name: "web", port, protocol: "HTTP" }],
    }),
    object("HTTPRoute", "split", {
      ...{ parentRefs: [{ name: "edge" }], hostnames: ["split.test"] },
      rules: [
        {
          backendRefs: ["one", "two"].map((of, at) => ({ name: of, port: 80, weight: weights[at] })),
        },
      ],
    }),
    ...serviceOn("demo/one", [echo.port]),
    ...serviceOn("demo/two", [strange.port]),
    authority("own", ca),
    authority("others", others),
    ...policies,
  ]
  const get = () => ask({ host: "127.0.0.1", port }, { path: "/", host: "split.test" })
  /** 0: the listener is not there yet. */
  const statuses = async () => {
    const answers = Array.from({ length: 12 }, () =>
      get().then(
        ({ status }) => status,
        () => 0,
      ),
    )
    return [...new Set(await Promise.all(answers))].sort().join()
  }

  test("each backend of a rule has its own, and a change is a post", async () => {
    await site.put(...served([policy("one", "own"), policy("two", "others")]))
    await until("both", async () => (await statuses()) === "200")
    // The port of the listener was one.
    const count = () => site.wick.metric("nginx_ingress_controller_success")
    await until("the reload to be counted", async () => (await count()) === reloads + 1)
    await site.put(...served([policy("one", "own"), policy("two", "own")]))
    await until("one of them", async () => (await statuses()) === "200,502")
    const alternative = { subjectAltNames: [{ type: "URI", uri: "spiffe://demo/echo" }] }
    await site.put(...served([policy("one", "own", alternative), policy("two", "others", alternative)]))
    await until("the name of one", async () => (await statuses()) === "200,502")
    await site.put(...served([policy("one", "own", alternative), policy("two", "others")]))
    await until("both", async () => (await statuses()) === "200")
    expect(await count()).toBe(reloads + 1)
  })
})
