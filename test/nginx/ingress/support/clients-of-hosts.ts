// Whom a handshake stands for: names that are asked for by SNI and by Host, wildcards, kept connections, and what changes meanwhile.
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { IngressOptions } from "../../../../harness/ingress/ingress.ts"
import { zoneWriter } from "../../../../harness/ingress/zone-writer.ts"
import { until } from "../../../../harness/until.ts"
import { type ClientsSite, startClients } from "./clients.ts"

// Compiled ahead of the tests, which have little time.
await zoneWriter()

export function clientsOfHosts(options: Pick<IngressOptions, "more"> = {}): void {
  let site: ClientsSite
  beforeAll(async () => {
    site = await startClients({ workers: 1, ...options })
    await site.authority("other", { certificates: [site.otherCa] })
    await site.host("plain.test", undefined)
    await site.host("on.test", {})
    await site.host("same.test", {})
    await site.host("other.test", { authority: "other" })
    await site.host("off.test", { verify: "off" })
    await site.host("optional.test", { verify: "optional" })
    await site.host("*.wild.test", {})
    await site.host("exact.wild.test", {})
    await site.host("plain.wild.test", undefined)
  })
  afterAll(() => site[Symbol.asyncDispose]())

  describe.each(["h1", "h2"] as const)("%s", (protocol) => {
    const status = async (name: string, host: string) =>
      (await site.ask({ host }, { servername: name, protocol, identity: site.good })).status

    test.each([
      ["on.test", "on.test", 200],
      ["ON.test", "On.Test:443", 200],
      ["plain.test", "on.test", 421],
      ["same.test", "on.test", 421],
      ["other.test", "on.test", 421],
      ["off.test", "on.test", 421],
      ["nobody.test", "on.test", 421],
      ["", "on.test", 400],
      ["", "optional.test", 200],
      ["on.test", "plain.test", 200],
      ["on.test", "nobody.test", 404],
      ["plain.test", "off.test", 200],
      ["off.test", "off.test", 200],
      ["", "off.test", 200],
      ["on.test", "off.test", 421],
      ["a.wild.test", "a.wild.test", 200],
      ["a.wild.test", "b.wild.test", 421],
      ["exact.wild.test", "exact.wild.test", 200],
      ["exact.wild.test", "a.wild.test", 421],
      ["a.wild.test", "exact.wild.test", 421],
      ["plain.wild.test", "a.wild.test", 421],
      ["a.wild.test", "plain.wild.test", 200],
      ["", "a.wild.test", 400],
    ])("asked for as %j in the handshake and %j in the request: %i", async (name, host, expected) => {
      expect(await status(name, host)).toBe(expected)
    })

    test("every other host", async () => {
      await site.host("_", {})
      expect(await status("any.test", "any.test")).toBe(200)
      expect(await status("any.test", "many.test")).toBe(421)
      expect(await status("", "any.test")).toBe(200)
      expect(await status("", "on.test")).toBe(421)
      expect(await status("on.test", "any.test")).toBe(421)
      expect(await status("plain.test", "any.test")).toBe(421)
      expect((await site.ask({ host: "any.test" }, { protocol })).status).toBe(400)
      expect((await site.ask({ host: "any.test" }, { protocol, servername: "" })).status).toBe(400)
      await site.ingress.write("main/_", undefined)
      await site.ingress.write("hosts/_", undefined, "certificates")
    })

    test("a later request of a connection is held to its own host", async () => {
      const hello = { servername: "plain.test", protocol, identity: site.good }
      await using client = await site.connect(hello)
      const statuses: number[] = []
      for (const host of ["plain.test", "on.test", "plain.test", "off.test"]) {
        statuses.push((await client.ask({ host })).status)
      }
      expect(statuses).toEqual([200, 421, 200, 200])
    })

    test("who was asked for something else comes on a new connection", async () => {
      const { ca, good } = site
      const host = "changing.test"
      const changes = [
        { authority: "other" },
        { authority: "renewed" },
        { verify: "off" as const },
        { verify: "on" as const },
        { authority: "listed" },
      ]
      await site.authority("renewed", { certificates: [ca] })
      await site.authority("listed", { certificates: [ca], crls: [await ca.crl({ revoked: [good] })] })
      const statuses: (readonly number[])[] = []
      for (const change of changes) {
        await site.host(host, {})
        await using client = await site.connect({ servername: host, protocol, identity: good })
        const before = await client.ask({ host })
        await site.host(host, change)
        const closed = once(client.socket, "close")
        const after = await client.ask({ host })
        if (after.status === 421 && protocol === "h2") await client.ask({ host }).catch(() => {})
        if (after.status === 421) await closed
        const anew = await site.ask({ host }, { protocol, identity: good })
        statuses.push([before.status, after.status, anew.status])
      }
      expect(statuses).toEqual([
        [200, 421, 400],
        [200, 421, 200],
        [200, 421, 200],
        [200, 200, 200],
        [200, 421, 400],
      ])
    })

    test("what nobody was asked when they came they are asked now", async () => {
      const hello = { servername: "later.test", protocol, identity: site.good }
      await site.host("later.test", undefined)
      await using client = await site.connect(hello)
      expect((await client.ask({ host: "later.test" })).status).toBe(200)
      await site.host("later.test", {})
      expect((await client.ask({ host: "later.test" })).status).toBe(421)
      expect((await site.ask({ host: "later.test" }, { protocol, identity: site.good })).status).toBe(200)
    })

    test("a session of another host, or from before a change, opens nothing", async () => {
      const open = async (name: string, session?: Buffer) => {
        const identity = session === undefined ? site.good : undefined
        const options = { servername: name, protocol, identity, session }
        await using client = await site.connect({ ...options, version: "TLSv1.2" })
        const { status } = await client.ask({ host: name })
        return { status, resumed: client.isResumed, session: client.socket.getSession() }
      }
      await site.host("first.test", {})
      await site.host("second.test", { authority: "ca" })
      const { session } = await open("first.test")
      expect(await open("first.test", session)).toMatchObject({ status: 200, resumed: true })
      expect(await open("second.test", session)).toMatchObject({ status: 400, resumed: false })
      await site.host("first.test", { authority: "other" })
      expect(await open("first.test", session)).toMatchObject({ status: 400, resumed: false })
    })
  })

  test("a request that has no host at all", async () => {
    await site.host("_", {})
    await using client = await site.connect({ servername: "any.test", identity: site.good })
    client.socket.write("GET / HTTP/1.0\r\n\r\n")
    const [chunk] = await once(client.socket, "data")
    expect(String(chunk)).toMatch(/^HTTP\/1.1 421 /)
    await site.ingress.write("main/_", undefined)
  })

  test("two requests in one piece, the second for a host that asks", async () => {
    await using client = await site.connect({
      servername: "plain.test",
      identity: site.good,
    })
    const question = (host: string) => `GET /${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    client.socket.write(question("plain.test") + question("on.test") + question("plain.test"))
    let text = ""
    client.socket.on("data", (chunk) => {
      text += chunk
    })
    await until("three answers", () => (text.match(/HTTP\/1\.1 /g) ?? []).length === 3)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 421", "HTTP/1.1 200"])
    expect(site.backend.asked.map(({ url }) => url)).not.toContain("/on.test")
  })

  test("the log tells a misdirected request from one that came too early", () => {
    const log = site.ingress.nginx.errorLog()
    expect(log).toContain(
      "client attempted to request the server name different from the one that was negotiated",
    )
    expect(log).toContain("client made its TLS handshake before its host asked for something else")
    expect(log).not.toMatch(/panic|signal|\[alert\]|\[crit\]/)
  })
}
