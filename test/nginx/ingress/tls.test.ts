// Which certificate a handshake gets, by server name, from a zone.
import { beforeAll, expect, test } from "vitest"
import { type Authority, type Identity, type KeyKind, rootAuthority } from "../../support/pki.ts"
import { startTls, type TlsSite } from "./support/tls.ts"

let ca: Authority
let fallback: Identity

beforeAll(async () => {
  ca = await rootAuthority()
  fallback = await ca.issue({ cn: "static" })
})

/** Puts a certificate with this common name in force for a host. */
async function serve(site: TlsSite, host: string, cn: string, key: KeyKind = "ec"): Promise<void> {
  await site.pair(cn, await ca.issue({ cn, key }))
  await site.host(host, { certificates: [cn] })
}

async function names(site: TlsSite, ...asked: (string | undefined)[]): Promise<string[]> {
  const met = await Promise.all(asked.map((sni) => site.meet(sni)))
  return met.map(({ shown, host }) => `${shown} ${host}`)
}

test("exact beats one wildcard label beats _ beats :default beats nginx's own", async () => {
  await using site = await startTls({ certificate: fallback })
  expect(await names(site, "a.shop.test", undefined)).toEqual(["static -", "static -"])
  await serve(site, ":default", "default")
  expect(await names(site, "a.shop.test", undefined)).toEqual(["default :default", "default :default"])
  await serve(site, "_", "any")
  expect(await names(site, "a.shop.test", undefined)).toEqual(["any _", "any _"])
  await serve(site, "*.shop.test", "wildcard")
  await serve(site, "b.shop.test", "exact")
  expect(await names(site, "a.shop.test", "b.shop.test", "c.a.shop.test", "shop.test", undefined)).toEqual([
    "wildcard *.shop.test",
    "exact b.shop.test",
    "any _",
    "any _",
    "any _",
  ])
  await site.write("hosts/*.shop.test", undefined)
  await site.write("hosts/_", undefined)
  expect(await names(site, "a.shop.test", "b.shop.test")).toEqual(["default :default", "exact b.shop.test"])
})
