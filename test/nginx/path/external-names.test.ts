// Services of type ExternalName on a real nginx, with a name server that the test runs. Numbers are those of ingress-nginx's black-box cases.
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { DnsServer } from "../../support/dns.ts"
import { Site } from "./site.ts"

const dir = mkdtempSync(join(tmpdir(), "names-"))
const flags = [`--resolv-conf=${join(dir, "resolv.conf")}`]
let dns: DnsServer
/** answers with the address at which it was reached: all of 127.0.0.0/8 are this machine's */
let outside: Server
/** where it was asked as an authentication service */
const questions: string[] = []
/** where it got copies of requests */
const copies: string[] = []
let port: number
let site: Site

beforeAll(async () => {
  dns = await DnsServer.start()
  const lines = [
    `nameserver ${dns.address}`,
    "search shop.svc.test svc.test",
    "options ndots:2 timeout:5 attempts:1",
  ]
  writeFileSync(join(dir, "resolv.conf"), lines.join("\n"))
  outside = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
    const { localAddress = "" } = request.socket
    if (request.url === "/verify") questions.push(localAddress)
    if (request.url === "/copy") copies.push(localAddress)
    response.end(localAddress)
  }).listen(0, "0.0.0.0")
  await once(outside, "listening")
  port = (outside.address() as AddressInfo).port
  site = await Site.start([], { flags })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  outside.close()
  dns.stop()
  rmSync(dir, { recursive: true })
})
beforeEach(() => dns.fail(undefined))

const external = (name: string, externalName: string, ports: readonly Json[] = []): Json => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace: "demo", name },
  spec: { type: "ExternalName", externalName, ports },
})

const put = (externalName: string, target = `far:${port}`, ports: readonly Json[] = []) =>
  site.put(external("far", externalName, ports), ingress("demo/far", `foo.test/ → ${target}`))

async function answer(): Promise<string> {
  const { status, body } = await site.get("/")
  return status === 200 ? body : String(status)
}
const isSaid = (text: string) => until(`a Problem with ${text}`, () => site.wick.log().includes(text))
const becomes = (what: string) => until(`the answer ${what}`, async () => (await answer()) === what)

describe("a name", () => {
  test("286: without ports: the port of the Ingress", async () => {
    dns.set("plain.out.test", ["127.0.0.2"])
    await put("plain.out.test")
    await becomes("127.0.0.2")
  })

  test("287: with a port, by its name", async () => {
    dns.set("named.out.test", ["127.0.0.3"])
    await put("named.out.test", "far:web", [{ name: "web", port: 80, targetPort: port }])
    await becomes("127.0.0.3")
  })

  test("with a port, by its number", async () => {
    dns.set("numbered.out.test", ["127.0.0.3"])
    await put("numbered.out.test", "far:80", [{ name: "web", port: 80, targetPort: port }])
    await becomes("127.0.0.3")
  })

  test("289: with a dot at its end", async () => {
    dns.set("dotted.out.test", ["127.0.0.4"])
    await put("dotted.out.test.")
    await becomes("127.0.0.4")
  })

  test("that is short is found in the search domains", async () => {
    dns.set("cart.svc.test", ["127.0.0.5"])
    await put("cart")
    await becomes("127.0.0.5")
  })

  test("may be an address", async () => {
    await put("127.0.0.6")
    await becomes("127.0.0.6")
  })

  test("with several addresses: all of them serve", async () => {
    const all = ["127.0.0.7", "127.0.0.8", "127.0.0.9"]
    dns.set("many.out.test", all, 60)
    await put("many.out.test")
    await until("an answer", async () => (await answer()) !== "503")
    expect(await site.answering(12)).toEqual(all)
  })

  test("291: that changes takes the traffic along, and nobody is without an answer meanwhile", async () => {
    dns.set("one.out.test", ["127.0.0.10"])
    dns.set("two.out.test", ["127.0.0.11"])
    await put("one.out.test")
    const seen = new Set<string>()
    let isDone = false
    const watching = (async () => {
      while (!isDone) seen.add(await answer())
    })()
    await put("two.out.test")
    isDone = true
    await watching
    expect(await answer()).toBe("127.0.0.11")
    expect([...seen].filter((body) => !body.startsWith("127.0.0.1"))).toEqual([])
  })

  test("292: of a Service that comes and goes", async () => {
    dns.set("fleeting.out.test", ["127.0.0.12"])
    const far = ingress("demo/far", `foo.test/ → far:${port}`)
    await site.put(far)
    expect(await answer()).toBe("503")
    await site.put(far, external("far", "fleeting.out.test"))
    await becomes("127.0.0.12")
    await site.put(far)
    expect(await answer()).toBe("503")
  })

  test("localhost is refused", async () => {
    await put("localhost")
    expect(await answer()).toBe("503")
    await isSaid("means this machine")
  })
})

describe("an authentication service", () => {
  const asking = (host: string) =>
    site.put(
      external("far", "127.0.0.6"),
      ingress("demo/far", `foo.test/ → far:${port}`, { "auth-url": `http://${host}:${port}/verify` }),
    )
  const isAskedAt = (address: string) =>
    until(`a question at ${address}`, async () => {
      await answer()
      return questions.at(-1) === address
    })

  test("is found in DNS, and followed when it changes; without an address nobody gets in", async () => {
    dns.set("auth.out.test", ["127.0.0.13"], 1)
    await asking("auth.out.test")
    await becomes("127.0.0.6")
    expect(questions.at(-1)).toBe("127.0.0.13")
    dns.set("auth.out.test", ["127.0.0.14"], 1)
    await isAskedAt("127.0.0.14")
    dns.set("auth.out.test", [])
    await until("that nobody can be asked", async () => (await answer()) === "500")
    await isSaid("auth-service-unusable")
  })

  test("keeps its addresses while DNS is down", async () => {
    dns.set("kept.out.test", ["127.0.0.15"], 1)
    await asking("kept.out.test")
    await becomes("127.0.0.6")
    dns.fail("servfail")
    await isSaid('Cannot look up \\"kept.out.test\\"')
    expect(await answer()).toBe("127.0.0.6")
    expect(questions.at(-1)).toBe("127.0.0.15")
  })

  test("at the host of the rule, which is asked for in DNS, too", async () => {
    dns.set("foo.test", ["127.0.0.16"], 60)
    await asking("$host")
    await becomes("127.0.0.6")
    expect(questions.at(-1)).toBe("127.0.0.16")
  })
})

describe("while DNS", () => {
  test("changes its mind, traffic follows when the TTL is over", async () => {
    dns.set("moving.out.test", ["127.0.0.20"], 2)
    await put("moving.out.test")
    await becomes("127.0.0.20")
    dns.set("moving.out.test", ["127.0.0.21"], 1)
    await becomes("127.0.0.21")
    dns.set("moving.out.test", ["127.0.0.22"], 1)
    await becomes("127.0.0.22")
  })

  test("does not know the name yet, 503; it is found when it appears", async () => {
    dns.remove("late.out.test")
    await put("late.out.test")
    expect(await answer()).toBe("503")
    await isSaid("DNS knows no such name (NXDOMAIN)")
    dns.set("late.out.test", ["127.0.0.23"])
    await becomes("127.0.0.23")
  })

  test.each([
    "servfail",
    "silence",
  ] as const)("fails (%s), the last answer stays; then it is asked again", async (fault) => {
    const name = `${fault}.out.test`
    dns.set(name, ["127.0.0.24"], 1)
    await put(name)
    dns.fail(fault)
    await isSaid(`Cannot look up \\"${name}\\" since`)
    expect(await answer()).toBe("127.0.0.24")
    dns.set(name, ["127.0.0.25"], 1)
    dns.fail(undefined)
    await becomes("127.0.0.25")
  })

  test("fails from the start, 503, and everything else is served at once", async () => {
    dns.set("dark.out.test", ["127.0.0.26"])
    dns.fail("silence")
    await put("dark.out.test")
    expect(await answer()).toBe("503")
    dns.fail(undefined)
    await becomes("127.0.0.26")
  })

  test("says that a name is gone, so are its addresses", async () => {
    dns.set("gone.out.test", ["127.0.0.27"], 1)
    await put("gone.out.test")
    await becomes("127.0.0.27")
    dns.remove("gone.out.test")
    await becomes("503")
  })

  test("has a name that many Services bear, it is asked once for each TTL", async () => {
    dns.set("shared.out.test", ["127.0.0.28"], 3600)
    const names = ["a", "b", "c", "d"]
    const services = names.map((name) => external(name, "shared.out.test"))
    await site.put(
      ...services,
      ...names.map((name) => ingress(`demo/${name}`, `${name}.test/ → ${name}:${port}`)),
    )
    for (const name of names)
      await until(name, async () => (await site.get("/", { host: `${name}.test` })).body === "127.0.0.28")
    expect(dns.count("shared.out.test")).toBe(1)
  })
})

test("nothing of this needed a reload", () => site.expectOnlyPosts())

test("a controller that starts while DNS fails for a moment takes nothing away", async () => {
  dns.set("steady.out.test", ["127.0.0.30"], 60)
  await put("steady.out.test")
  await site.wick.kill()
  dns.fail("servfail")
  const seen = new Set<string>()
  let isDone = false
  const watching = (async () => {
    while (!isDone) seen.add(await answer())
  })()
  const started = site.wick.start()
  await until("it to be asked", () => dns.count("steady.out.test") > 1)
  dns.fail(undefined)
  await started
  isDone = true
  await watching
  expect([...seen]).toEqual(["127.0.0.30"])
})

test("294: --disable-svc-external-name", async () => {
  await using disabled = await Site.start([], { flags: [...flags, "--disable-svc-external-name"] })
  dns.set("off.out.test", ["127.0.0.2"])
  await disabled.put(external("far", "off.out.test"), ingress("demo/far", `foo.test/ → far:${port}`))
  expect((await disabled.get("/")).status).toBe(503)
  expect(dns.count("off.out.test")).toBe(0)
})

describe("a mirror", () => {
  const copying = (host: string, at = port) =>
    site.put(
      external("far", "127.0.0.6"),
      ingress("demo/far", `foo.test/ → far:${port}`, { "mirror-target": `http://${host}:${at}/copy` }),
    )
  const isCopiedTo = (address: string) =>
    until(`a copy to ${address}`, async () => {
      expect(await answer()).toBe("127.0.0.6")
      return copies.at(-1) === address
    })

  test("is found in DNS by the controller, and followed when its address changes", async () => {
    dns.set("mirror.out.test", ["127.0.0.17"], 1)
    await copying("mirror.out.test")
    await isCopiedTo("127.0.0.17")
    dns.set("mirror.out.test", ["127.0.0.18"], 1)
    await isCopiedTo("127.0.0.18")
    await isSaidNothingOf("resolver")
  })

  test("is a Service of the cluster where there is one of that name", async () => {
    await site.put(
      external("far", "127.0.0.6"),
      external("shadow", "127.0.0.19"),
      ingress("demo/far", `foo.test/ → far:${port}`, {
        "mirror-target": `http://shadow.demo.svc:${port}/copy`,
      }),
    )
    await isCopiedTo("127.0.0.19")
  })

  test("whose name leads to metadata of a cloud, or to what wick serves to its operator, gets nothing", async () => {
    dns.set("metadata.out.test", ["169.254.169.254"], 60)
    await copying("metadata.out.test", 80)
    await isSaid("link-local addresses are not allowed; annotation")
    dns.set("status.out.test", ["127.0.0.1"], 60)
    await copying("status.out.test", site.wick.healthPort)
    await isSaid("is wick's own; annotation")
    expect(await answer()).toBe("127.0.0.6")
  })

  const isSaidNothingOf = async (word: string) => expect(site.wick.conf()).not.toContain(word)
})
