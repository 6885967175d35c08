// What a client has to show: every way to verify, every way in which a certificate may be none, over both versions of TLS and HTTP.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { Identity, selfSignedIdentity } from "../../../harness/pki.ts"
import { type ClientsSite, startClients } from "./support/clients.ts"

// Compiled ahead of the tests, which have little time.
await zoneWriter()

const day = 24 * 3_600_000
let site: ClientsSite

/** With a signature that is none. */
function damaged({ der, key, issuers }: Identity): Identity {
  const bytes = new Uint8Array(der)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return new Identity(bytes, key, issuers)
}

const clients: Record<string, Identity | undefined> = { nobody: undefined }

beforeAll(async () => {
  site = await startClients()
  const { ca, otherCa, good } = site
  const intermediate = await ca.intermediate()
  const second = await intermediate.intermediate({ cn: "Second intermediate" })
  const revoked = await ca.issue({ cn: "revoked" })
  Object.assign(clients, {
    good,
    "good of another authority": await otherCa.issue({ cn: "other" }),
    "self-signed": await selfSignedIdentity({ cn: "self" }),
    expired: await ca.issue({ cn: "expired", until: new Date(Date.now() - day) }),
    "not valid yet": await ca.issue({ cn: "early", from: new Date(Date.now() + day) }),
    damaged: damaged(good),
    "of a server": await ca.issue({ cn: "server", usages: ["server"] }),
    revoked,
    "by an intermediate": await intermediate.issue({ cn: "second" }),
    "by two intermediates": await second.issue({ cn: "third" }),
  })
  await site.authority("listed", { certificates: [ca], crls: [await ca.crl({ revoked: [revoked] })] })
  await site.authority("stale", {
    certificates: [ca],
    crls: [await ca.crl({ until: new Date(Date.now() - day) })],
  })
  await site.authority("unlisted", { certificates: [ca], crls: [await otherCa.crl()] })
  await site.authority("two", { certificates: [ca, otherCa] })
  await site.host("plain.test", undefined)
  await site.host("on.test", {})
  await site.host("deep.test", { depth: 2 })
  await site.host("deeper.test", { depth: 3 })
  await site.host("optional.test", { verify: "optional" })
  await site.host("noca.test", { verify: "optional_no_ca" })
  await site.host("off.test", { verify: "off" })
  await site.host("listed.test", { authority: "listed" })
  await site.host("listed-noca.test", { authority: "listed", verify: "optional_no_ca" })
  await site.host("stale.test", { authority: "stale" })
  await site.host("unlisted.test", { authority: "unlisted" })
  await site.host("two.test", { authority: "two" })
  await site.host("gone.test", { authority: "nothing-of-that-id" })
})
afterAll(() => site[Symbol.asyncDispose]())

const invalid = "400 The SSL certificate error"
const missing = "400 No required SSL certificate was sent"

/** What a request comes to: what the backend is told of the client, or the status and what nginx's page says. */
async function outcome(host: string, client: string, how: object): Promise<string> {
  const { status, body } = await site.ask({ host, path: "/" }, { identity: clients[client], ...how })
  if (status === 200) return `${JSON.parse(body).headers["ssl-client-verify"]}`
  return `${status} ${/<title>\d+ (.*)<\/title>/.exec(body)?.[1]}`
}

describe.each([
  { version: "TLSv1.2", protocol: "h1" },
  { version: "TLSv1.2", protocol: "h2" },
  { version: "TLSv1.3", protocol: "h1" },
  { version: "TLSv1.3", protocol: "h2" },
] as const)("$version, $protocol", (how) => {
  test.each([
    ["on.test", "nobody", missing],
    ["on.test", "good", "SUCCESS"],
    ["on.test", "good of another authority", invalid],
    ["on.test", "self-signed", invalid],
    ["on.test", "expired", invalid],
    ["on.test", "not valid yet", invalid],
    ["on.test", "of a server", invalid],
    ["on.test", "revoked", "SUCCESS"],
    ["optional.test", "nobody", "NONE"],
    ["optional.test", "good", "SUCCESS"],
    ["optional.test", "good of another authority", invalid],
    ["optional.test", "self-signed", invalid],
    ["noca.test", "nobody", "NONE"],
    ["noca.test", "good", "SUCCESS"],
    ["noca.test", "good of another authority", "FAILED:unable to verify the first certificate"],
    ["noca.test", "self-signed", "FAILED:self-signed certificate"],
    ["noca.test", "expired", invalid],
    ["noca.test", "damaged", invalid],
    ["off.test", "nobody", "NONE"],
    ["off.test", "good", "NONE"],
    ["plain.test", "good", "undefined"],
    ["listed.test", "good", "SUCCESS"],
    ["listed.test", "revoked", invalid],
    ["listed-noca.test", "revoked", invalid],
    ["stale.test", "good", invalid],
    ["unlisted.test", "good", invalid],
    ["two.test", "good of another authority", "SUCCESS"],
    ["on.test", "by an intermediate", "SUCCESS"],
    ["on.test", "by two intermediates", invalid],
    ["deep.test", "by two intermediates", "SUCCESS"],
  ])("%s, %s: %s", async (host, client, expected) => {
    expect(await outcome(host, client, how)).toBe(expected)
  })

  test("paths that nobody has are not shown to strangers either", async () => {
    await site.host("paths.test", {}, [{ path: "/a/" }, { path: "/status", status: 503 }])
    for (const path of ["/", "/a", "/a/b", "/status"]) {
      expect((await site.ask({ host: "paths.test", path }, how)).status).toBe(400)
    }
    const status = async (path: string) =>
      (await site.ask({ host: "paths.test", path }, { identity: site.good, ...how })).status
    expect(await Promise.all(["/", "/a", "/a/b", "/status"].map(status))).toEqual([404, 301, 200, 503])
  })

  test("an authority that is not there serves nobody", async () => {
    const settled = await site.ask({ host: "gone.test" }, { identity: site.good, ...how }).then(
      ({ status }) => status,
      () => "no handshake",
    )
    expect(["no handshake", 400, 421]).toContain(settled)
  })

  test("a session is worth what its handshake was worth", async () => {
    const status = async (identity?: Identity) => {
      await using client = await site.connect({ servername: "on.test", identity, ...how })
      const { status } = await client.ask({ host: "on.test" })
      const session = await client.session()
      const again = await site.ask({ host: "on.test" }, { session, ...how })
      return [status, again.status]
    }
    expect(await status(site.good)).toEqual([200, 200])
    expect(await status()).toEqual([400, 400])
    expect(await status(clients.expired)).toEqual([400, 400])
  })
})

test("the session of a client that was refused is forgotten", async () => {
  const hello = { servername: "on.test", version: "TLSv1.2" } as const
  const resumes = async (identity?: Identity) => {
    await using client = await site.connect({ ...hello, identity })
    await client.ask({ host: "on.test" })
    await using again = await site.connect({ ...hello, session: await client.session() })
    return again.isResumed
  }
  // Tickets know no forgetting; sessions with ids do.
  expect(await resumes(site.good)).toBe(true)
  expect(await resumes(clients.expired)).toBe(false)
  expect(await resumes()).toBe(false)
})

test("nginx's own words are in the log", async () => {
  const log = () => site.ingress.nginx.errorLog()
  expect(log()).toContain("client SSL certificate verify error: (10:certificate has expired)")
  expect(log()).toContain("client SSL certificate verify error: (23:certificate revoked)")
  expect(log()).toContain("client sent no required SSL certificate")
  expect(log()).not.toMatch(/panic|signal|\[alert\]|\[crit\]/)
})
