// Against a name server on loopback: what goes over the wire.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Dns } from "../../../../controller/facts/names/dns.ts"
import type { Outcome } from "../../../../controller/facts/names/lookup.ts"
import { DnsServer } from "../../../support/dns.ts"

const dir = mkdtempSync(join(tmpdir(), "dns-"))
const file = join(dir, "resolv.conf")
let server: DnsServer
let dns: Dns

beforeAll(async () => {
  server = await DnsServer.start()
})
afterAll(() => {
  server.stop()
  rmSync(dir, { recursive: true })
})
beforeEach(() => {
  server.fail(undefined)
  use(`nameserver ${server.address}`, "search svc.test", "options ndots:1 timeout:30 attempts:1")
  dns = new Dns(file)
})

function use(...lines: readonly string[]): void {
  writeFileSync(file, lines.join("\n"))
}

const look = (name: string, withIpv6 = true) => dns.lookup(name, { withIpv6, foundAs: undefined })
const reason = (outcome: Outcome) => (outcome.kind === "found" ? undefined : [outcome.kind, outcome.reason])

test("addresses and their TTL", async () => {
  server.set("a.test", ["10.0.0.1", "10.0.0.2"], 30)
  const addresses = ["10.0.0.1", "10.0.0.2"]
  expect(await look("a.test")).toEqual({ kind: "found", addresses, ttlSeconds: 30, foundAs: "a.test" })
})

test("IPv6 where there is no IPv4", async () => {
  server.set("six.test", ["2001:db8::1"], 7)
  expect(await look("six.test")).toMatchObject({ addresses: ["2001:db8::1"], ttlSeconds: 7 })
  expect(reason(await look("six.test", false))).toEqual(["absent", "DNS knows no address of this name"])
})

test("289: a name with a dot at its end is not sought in search domains", async () => {
  server.set("cart.svc.test", ["10.0.0.3"])
  expect(await look("cart")).toMatchObject({ foundAs: "cart.svc.test" })
  expect(reason(await look("cart."))).toEqual(["absent", "DNS knows no such name (NXDOMAIN)"])
})

test("the least TTL of a chain of CNAMEs", async () => {
  const records = [
    { type: "CNAME", data: "two.test", ttl: 60 },
    { type: "CNAME", name: "two.test", data: "three.test", ttl: 4 },
    { type: "A", name: "three.test", data: "10.0.0.4", ttl: 300 },
  ] as const
  server.behave("one.test", { kind: "records", records })
  expect(await look("one.test")).toMatchObject({ addresses: ["10.0.0.4"], ttlSeconds: 4 })
})

test("an answer that is too long for UDP comes over TCP", async () => {
  server.set(
    "many.test",
    Array.from({ length: 200 }, (_, at) => `10.1.0.${at}`),
  )
  const outcome = await look("many.test")
  expect(outcome.kind === "found" && outcome.addresses.length).toBe(200)
  const transports = server.questions
    .filter(({ name }) => name === "many.test")
    .map(({ transport }) => transport)
  expect(transports).toEqual(["udp", "tcp"])
})

describe("what may go wrong", () => {
  test.each([
    ["servfail", "the DNS server failed (SERVFAIL)"],
    ["refused", "the DNS server refused to answer (REFUSED)"],
    ["silence", "no DNS server answers"],
  ] as const)("%s", async (fault, sentence) => {
    server.set("a.test", ["10.0.0.1"])
    if (fault === "silence") use(`nameserver ${server.address}`, "options timeout:1 attempts:1")
    server.fail(fault)
    expect(reason(await look("a.test"))).toEqual(["failed", sentence])
    server.fail(undefined)
    use(`nameserver ${server.address}`, "options timeout:30 attempts:1")
    expect((await look("a.test")).kind).toBe("found")
  })

  test("nobody listens", async () => {
    const gone = await DnsServer.start()
    use(`nameserver ${gone.address}`, "options timeout:1 attempts:1")
    gone.stop()
    expect(reason(await look("a.test"))).toEqual(["failed", "no DNS server can be reached"])
  })

  test("the first server is down and the second one is not", async () => {
    using silent = await DnsServer.start()
    silent.fail("silence")
    server.set("a.test", ["10.0.0.1"])
    use(`nameserver ${silent.address}`, `nameserver ${server.address}`, "options timeout:5 attempts:1")
    expect((await look("a.test")).kind).toBe("found")
  })
})

test("there need not be a resolv.conf", async () => {
  dns = new Dns(join(dir, "missing"))
  expect((await look("a.test.")).kind).not.toBe("found")
})
