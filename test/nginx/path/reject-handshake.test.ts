// ssl-reject-handshake on a real nginx: only hosts of Ingresses get a handshake.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { type Identity, selfSignedIdentity } from "../../../harness/pki.ts"
import { outcome } from "../../../harness/shake.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let identity: Identity
beforeAll(async () => {
  identity = await selfSignedIdentity({ names: ["secure.test"] })
  site = await Site.start(["a"])
  await site.reconfigure({ "ssl-reject-handshake": "true" })
  await put()
})
afterAll(() => site[Symbol.asyncDispose]())

const named = ingress("demo/named", ["plain.test/ → a:80", "*.wild.test/ → a:80"])
const secure = ingress("demo/secure", "secure.test/ → a:80", {
  "server-alias": "alias.test",
  "from-to-www-redirect": "true",
})
const put = (...more: readonly Json[]) =>
  site.put(...site.service("a", "a"), secret("demo/tls", identity.tlsData()), named, withTls(), ...more)

function withTls(): Json {
  const { spec, ...rest } = secure as { spec: object }
  return { ...rest, spec: { ...spec, tls: [{ hosts: ["secure.test"], secretName: "tls" }] } }
}

/** Whether a handshake for this name is made; no name is "". */
const isTaken = async (servername: string) =>
  (await outcome(site.wick.httpsPort, { servername })).startsWith("TLSv1.3")

describe("a handshake is made", () => {
  test.each([
    "plain.test",
    "PLAIN.test",
    "x.wild.test",
    "secure.test",
    "alias.test",
    "www.secure.test",
  ])("for %s", async (name) => {
    expect(await isTaken(name)).toBe(true)
  })
})

describe("a handshake is refused", () => {
  test.each([
    "unknown.test",
    "wild.test",
    "x.y.wild.test",
    "x.plain.test",
    "www.plain.test",
    "",
  ])("for %j", async (name) => {
    const refusal = await outcome(site.wick.httpsPort, { servername: name })
    expect(refusal).toBe("ERR_SSL_TLSV1_UNRECOGNIZED_NAME")
  })

  test("also beside an Ingress for every other host", async () => {
    await put(ingress("demo/others", "* → a:80"))
    expect(await isTaken("unknown.test")).toBe(false)
    expect(await isTaken("plain.test")).toBe(true)
  })
})

test("hosts come and go without a reload", async () => {
  const reloads = await site.wick.metric("nginx_ingress_controller_success")
  await put(ingress("demo/late", "late.test/ → a:80"))
  expect(await isTaken("late.test")).toBe(true)
  await put()
  expect(await isTaken("late.test")).toBe(false)
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
})

test("without the key everybody gets a certificate again", async () => {
  site.configure({})
  // while nginx reloads, workers of both kinds answer
  await until("handshakes for nobody in all workers", async () => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, at) => isTaken(at % 2 ? "" : "unknown.test")),
    )
    return taken.every(Boolean)
  })
})
