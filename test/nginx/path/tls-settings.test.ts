// What the ConfigMap says about TLS, on a real nginx: what handshakes agree on. Numbers are those of ingress-nginx's black-box cases.
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "node:tls"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { lenient, only, outcome, shake } from "../../../harness/shake.ts"
import { until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"
import { Site } from "./site.ts"

const dhParam = (file: string): Json =>
  secret("demo/dh", {
    "dhparam.pem": readFileSync(join(import.meta.dirname, "../../fixtures/tls", file), "utf8"),
  })

let site: Site
beforeAll(async () => {
  site = await Site.start(["a"])
})
afterAll(() => site[Symbol.asyncDispose]())

const port = () => site.wick.httpsPort
/** The default certificate has a key of RSA. */
const [rsa128, rsa256] = ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384"]

describe("by default", () => {
  test.each(["TLSv1", "TLSv1.1"] as const)("%s is refused", async (version) => {
    expect(await outcome(port(), only(version))).toMatch(/^E/)
  })

  test.each(["TLSv1.2", "TLSv1.3"] as const)("%s is taken", async (version) => {
    expect((await shake(port(), only(version))).version).toBe(version)
  })

  test("the server's order of ciphers counts", async () => {
    const clients = [`${rsa256}:${rsa128}`, `${rsa128}:${rsa256}`, `ECDHE-RSA-CHACHA20-POLY1305:${rsa128}`]
    for (const ciphers of clients)
      expect(await outcome(port(), { maxVersion: "TLSv1.2", ciphers })).toBe(`TLSv1.2 ${rsa128}`)
  })

  test.each([
    "AES128-SHA",
    "AES256-GCM-SHA384",
    "ECDHE-RSA-AES128-SHA",
    "DHE-RSA-AES128-GCM-SHA256",
    "aNULL",
    "eNULL",
  ])("%s is refused", async (ciphers) => {
    const options = { ...lenient, maxVersion: "TLSv1.2", ciphers: `${ciphers}:@SECLEVEL=0` } as const
    expect(await outcome(port(), options)).toMatch(/^E/)
  })

  test("clients cannot have keys agreed on anew", async () => {
    const socket = connect({
      port: port(),
      host: "127.0.0.1",
      rejectUnauthorized: false,
      maxVersion: "TLSv1.2",
    })
    await once(socket, "secureConnect")
    const refusal = new Promise((resolve) => {
      socket.once("error", resolve).once("close", () => resolve("closed"))
      socket.renegotiate({}, (error) => resolve(error ?? "agreed"))
    })
    expect(await refusal).not.toBe("agreed")
    socket.destroy()
  })

  test.each([
    "TLSv1.2",
    "TLSv1.3",
  ] as const)("sessions of %s are resumed, by the server's memory", async (version) => {
    const { session } = await shake(port(), only(version))
    expect((await shake(port(), { ...only(version), session })).isResumed).toBe(true)
  })
})

describe("versions and ciphers", () => {
  test("87: one version, one cipher", async () => {
    const ciphers = `ECDHE-ECDSA-AES256-GCM-SHA384:${rsa256}`
    await site.reconfigure({ "ssl-protocols": "TLSv1.2", "ssl-ciphers": ciphers })
    expect(await outcome(port(), {})).toBe(`TLSv1.2 ${rsa256}`)
    expect(await outcome(port(), only("TLSv1.3"))).toMatch(/^E/)
    expect(await outcome(port(), { maxVersion: "TLSv1.2", ciphers: rsa128 })).toMatch(/^E/)
  })

  test("old ones for those who need them", async () => {
    await site.reconfigure({ "ssl-protocols": "TLSv1 TLSv1.1 TLSv1.2", "ssl-ciphers": "ALL:@SECLEVEL=0" })
    for (const version of ["TLSv1", "TLSv1.1", "TLSv1.2"] as const)
      expect((await shake(port(), only(version))).version).toBe(version)
    expect(await outcome(port(), only("TLSv1.3"))).toMatch(/^E/)
  })

  test("curves", async () => {
    await site.reconfigure({ "ssl-ecdh-curve": "secp384r1" })
    const { exchange } = await shake(port(), { maxVersion: "TLSv1.2" })
    expect(exchange).toMatchObject({ type: "ECDH", name: "secp384r1" })
    expect(await outcome(port(), { ecdhCurve: "prime256v1" })).toMatch(/^E/)
  })

  test("parameters of Diffie-Hellman, as soon as their Secret is there and when it changes", async () => {
    const client = { maxVersion: "TLSv1.2", ciphers: "DHE-RSA-AES256-GCM-SHA384" } as const
    const exchange = async () =>
      JSON.stringify((await shake(port(), client).catch(() => undefined))?.exchange)
    await site.reconfigure({ "ssl-dh-param": "demo/dh" })
    await site.untilProblem("value-refused")
    expect(await exchange()).toBeUndefined()
    for (const size of [2048, 3072]) {
      site.wick.write("dh.yaml", JSON.stringify(dhParam(`ffdhe${size}.pem`)))
      const wanted = JSON.stringify({ type: "DH", size })
      await until(`an exchange with ${size} bits`, async () => (await exchange()) === wanted)
    }
    site.wick.remove("dh.yaml")
  })
})

describe("ciphers of a host", () => {
  const client = (servername: string) =>
    ({ servername, maxVersion: "TLSv1.2", ciphers: `${rsa128}:${rsa256}` }) as const
  const one = (annotations: Readonly<Record<string, string>>) =>
    site.put(...site.service("a", "a"), ingress("demo/one", "foo.test/ → a:80", annotations))

  test("are its own, without a reload and without a certificate of its own", async () => {
    await site.reconfigure({})
    const reloads = await site.wick.metric("nginx_ingress_controller_success")
    await one({ "ssl-ciphers": rsa256 })
    expect(await outcome(port(), client("foo.test"))).toBe(`TLSv1.2 ${rsa256}`)
    expect(await outcome(port(), client("bar.test"))).toBe(`TLSv1.2 ${rsa128}`)
    expect(await outcome(port(), { ...only("TLSv1.3"), servername: "foo.test" })).toMatch(/^TLSv1.3/)
    await one({})
    expect(await outcome(port(), client("foo.test"))).toBe(`TLSv1.2 ${rsa128}`)
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
  })

  test("go by the client's order where the server's does not count", async () => {
    const prefers256 = (servername: string) => ({ ...client(servername), ciphers: `${rsa256}:${rsa128}` })
    await one({ "ssl-prefer-server-ciphers": "false" })
    expect(await outcome(port(), prefers256("foo.test"))).toBe(`TLSv1.2 ${rsa256}`)
    expect(await outcome(port(), prefers256("bar.test"))).toBe(`TLSv1.2 ${rsa128}`)
  })
})

describe("sessions", () => {
  const resumes = async (version: "TLSv1.2" | "TLSv1.3", pauseMs = 0) => {
    const { session } = await shake(port(), only(version))
    await letPass(pauseMs, "the session ends")
    return (await shake(port(), { ...only(version), session })).isResumed
  }

  test("are not resumed without a cache", async () => {
    await site.reconfigure({ "ssl-session-cache": "false" })
    expect(await resumes("TLSv1.2")).toBe(false)
    expect(await resumes("TLSv1.3")).toBe(false)
  })

  test("not after their time", async () => {
    await site.reconfigure({ "ssl-session-timeout": "1s" })
    expect(await resumes("TLSv1.2", 2100)).toBe(false)
    expect(await resumes("TLSv1.3", 2100)).toBe(false)
  })

  test("of any worker by any other, from a cache of another size", async () => {
    await site.reconfigure({ "ssl-session-cache-size": "1m" })
    const { session } = await shake(port(), only("TLSv1.2"))
    for (let i = 0; i < 12; i++)
      expect((await shake(port(), { ...only("TLSv1.2"), session })).isResumed).toBe(true)
  })
})

describe("what nginx does not take is left out, and everything else counts", () => {
  const garbage = "-----BEGIN DH PARAMETERS-----\nMAYCAQQCAQI=\n-----END DH PARAMETERS-----"
  const weak = `-----BEGIN DH PARAMETERS-----
MIGHAoGBAOINDQMVlxGma6v2jfNX0yiAJ3SshkGK0HpZFXP1PQ0qVhPetPXwZAgy
ET9m3ZmHqYit97Cboy6ByHoRRM1l9OBT67NJglRzVktHPkSVxzJoKl+IpYs/4cma
w5bmeiMtz9Trg6uCqp+OlUOppbXIqzcojXdH3e+uMRrs2Q0iqZmnAgEC
-----END DH PARAMETERS-----`

  test.each([
    ["ssl-ciphers", "NONSENSE", ""],
    ["ssl-ciphers", "TLS_AES_128_GCM_SHA256", ""],
    ["ssl-ecdh-curve", "nonsense", ""],
    ["ssl-dh-param", "demo/dh", garbage],
    ["ssl-dh-param", "demo/dh", weak],
  ])("%s: %s", async (key, value, pem) => {
    const from = site.wick.log().length
    if (pem !== "") await site.put(secret("demo/dh", { "dhparam.pem": pem }))
    await site.reconfigure({ "ssl-protocols": "TLSv1.2", [key]: value })
    await until("a Problem", () =>
      site.wick
        .log()
        .slice(from)
        .includes(`\\"${key}\\" cannot be used, so the value before it stays in force`),
    )
    expect(await outcome(port(), {})).toBe(`TLSv1.2 ${rsa128}`)
  })
})
