// Spans go to a collector by TLS, and in no other way where TLS is asked for.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, secret, serviceOn } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { Collector } from "../../support/collector.ts"
import { Site } from "./site.ts"

let backend: Echo
let root: Authority
let other: Authority
let server: Identity
let client: Identity
let strangers: Identity

beforeAll(async () => {
  backend = await new Echo().start()
  ;[root, other] = await Promise.all([rootAuthority(), rootAuthority()])
  server = await root.issue({ names: ["127.0.0.1"] })
  client = await root.issue({ names: ["edge"] })
  strangers = await root.issue({ names: ["elsewhere.test"] })
})
afterAll(() => backend[Symbol.asyncDispose]())

const identity = ({ chainPem, keyPem }: Identity) => ({ cert: chainPem, key: keyPem })

describe.each(["grpc", "http/protobuf"] as const)("by %s", (protocol) => {
  let site: Site
  let number = 0
  beforeAll(async () => {
    site = await Site.start(["one"], { env: { OTEL_EXPORTER_OTLP_PROTOCOL: protocol } })
  })
  afterAll(() => site[Symbol.asyncDispose]())

  /** Sends to the collector with this Secret, and lets a request be recorded. @param data undefined: there is no Secret */
  async function trace(collector: Collector, data: Readonly<Record<string, string>> | undefined) {
    number += 1
    const name = `demo/collector-${number}`
    await site.put(
      ...serviceOn("demo/echo", [backend.port]),
      ...(data === undefined ? [] : [secret(name, data)]),
      ingress("demo/traced", "trace.test/ → echo:80", { "enable-opentelemetry": "true" }),
    )
    await site.reconfigure({
      "otlp-collector-host": "127.0.0.1",
      "otlp-collector-port": String(protocol === "grpc" ? collector.grpcPort : collector.httpPort),
      "otlp-collector-tls-secret": name,
      "otel-schedule-delay-millis": "100",
    })
    await site.get("/", { host: "trace.test" })
  }

  const failed = () => site.wick.metric("wick_spans_failed_total")

  test("without the Secret nothing is sent, with a Problem; once it is there, what waits", async () => {
    await using collector = await Collector.start(identity(server))
    await using plain = await Collector.start()
    await trace(plain, undefined)
    expect(site.wick.log()).toContain(
      `Key \\"otlp-collector-tls-secret\\" cannot be used, so no span is sent: there is no Secret \\"demo/collector-${number}\\"`,
    )
    await trace(collector, { "ca.crt": root.pem })
    await until("both", () => collector.spans.filter(({ kind }) => kind === "SPAN_KIND_SERVER").length >= 2)
    expect(plain.spans).toEqual([])
  })

  test("to a collector that wants to know who sends", async () => {
    await using collector = await Collector.start({
      ...identity(server),
      ca: root.pem,
      requestCert: true,
      rejectUnauthorized: true,
    })
    await trace(collector, { "ca.crt": root.pem, ...client.tlsData() })
    await until("its spans", () => collector.spans.length >= 2)
  })

  test.each([
    ["another authority has signed", () => [server, other] as const],
    ["is for another name", () => [strangers, root] as const],
  ])("not to one whose certificate %s", async (_, of) => {
    const [shown, authority] = of()
    await using collector = await Collector.start(identity(shown))
    const before = await failed()
    await trace(collector, { "ca.crt": authority.pem })
    await until("a span that was not sent", async () => (await failed()) > before)
    expect(collector.spans).toEqual([])
  })

  test("not to one without TLS", async () => {
    await using collector = await Collector.start()
    const before = await failed()
    await trace(collector, { "ca.crt": root.pem })
    await until("a span that was not sent", async () => (await failed()) > before)
    expect(collector.spans).toEqual([])
  })
})
