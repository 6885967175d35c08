// Changes are in force for the next handshake, in every worker; garbage in the zone hurts nobody else.
import { beforeAll, expect, test } from "vitest"
import { pairOf, pairRecord } from "../../../harness/ingress/tls-records.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { signal } from "../../../harness/processes.ts"
import { startTls, tlsConf } from "./support/tls.ts"

let ca: Authority
let fallback: Identity
let two: readonly [Identity, Identity]

beforeAll(async () => {
  ca = await rootAuthority()
  fallback = await ca.issue({ cn: "static" })
  two = [await ca.issue({ cn: "c0" }), await ca.issue({ cn: "c1" })]
})

test("four workers see a new certificate at once, under load, over a reload, and after a worker was killed", async () => {
  const options = { certificate: fallback, workers: 4 }
  await using site = await startTls(options)
  const writer = await zoneWriter()
  const seen = new Set<string>()
  for (let change = 0; change < 60; change += 1) {
    const host = `h${change % 3}.test`
    const id = `c${change % 2}`
    await site.pair(id, two[change % 2] ?? fallback)
    await site.host(host, { certificates: [id] })
    // Connections of their own, many at once, so that several workers are awake to take them.
    const met = await Promise.all(Array.from({ length: 12 }, () => site.meet(host)))
    expect(new Set(met.map(({ shown }) => shown))).toEqual(new Set([id]))
    for (const { pid } of met) seen.add(pid)
    await site.write(`pairs/c${(change + 1) % 2}`, undefined)
    if (change === 30) await site.nginx.reload((folder) => tlsConf(folder, writer, options))
    if (change === 45) signal(site.nginx.workers()[0] ?? 0, "SIGKILL")
  }
  expect(seen.size).toBeGreaterThan(4)
})

test("two thousand hosts share what they have in common", async () => {
  await using site = await startTls({ certificate: fallback, zone: "64m" })
  const key = two[0].key
  const identities = await Promise.all(Array.from({ length: 40 }, (_, n) => ca.issue({ cn: `n${n}`, key })))
  for (const [n, identity] of identities.entries()) await site.pair(`p${n}`, identity)
  for (let n = 0; n < 2000; n += 1) await site.host(`h${n}.test`, { certificates: [`p${n % 40}`] })
  for (let n = 0; n < 2000; n += 20) {
    const met = await Promise.all(Array.from({ length: 20 }, (_, i) => site.meet(`h${n + i}.test`)))
    expect(met.map(({ shown }) => shown)).toEqual(met.map((_, i) => `n${(n + i) % 40}`))
  }
})

test("an extension that makes no sense is nobody else's error", async () => {
  await using site = await startTls({ certificate: fallback })
  const odd = await ca.issue({ names: ["odd.test"] })
  const der = Buffer.from(odd.der)
  // The SAN (2.5.29.17) is a SEQUENCE in an OCTET STRING, and here something else.
  der[der.indexOf("0603551d1104", "hex") + 7] = 0x31
  await site.write("pairs/odd", pairOf(der, odd.key.export({ type: "pkcs8", format: "der" })))
  await site.host("odd.test", { certificates: ["odd"] })
  await site.meet("odd.test").catch(() => {})
  expect(site.nginx.errorLog()).not.toMatch(/stale global SSL error|\[alert\]/)
})

test("whatever bytes are in the zone, other hosts are served and the worker lives", async () => {
  await using site = await startTls({ certificate: fallback })
  await site.pair("good", two[0])
  await site.host("good.test", { certificates: ["good"] })
  const [worker] = site.nginx.workers()
  const records = [pairRecord(two[1])]
  let state = 1
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
  for (let n = 0; n < 300; n += 1) {
    const bytes = Buffer.from(records[0] ?? Buffer.alloc(1))
    for (let flips = random(8); flips >= 0; flips -= 1) bytes[random(bytes.length)] = random(256)
    const record = random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
    const id = `f${n}`
    await site.write(`${["pairs", "authorities", "staples"][n % 3]}/${id}`, record)
    await site.host("fuzz.test", n % 3 === 1 ? { authority: id } : { certificates: [id, "good"] })
    if (n % 5 === 0) await site.write("hosts/fuzz.test", record.subarray(0, 40))
    await site.meet("fuzz.test", { requestOCSP: true, cert: two[0].pem, key: two[0].keyPem }).catch(() => {})
    if (n % 20 === 0) expect(await site.meet("good.test")).toMatchObject({ shown: "c0", host: "good.test" })
  }
  expect(await site.meet("good.test")).toMatchObject({ shown: "c0", host: "good.test" })
  expect(site.nginx.workers()).toEqual([worker])
  expect(site.nginx.errorLog()).not.toMatch(/\[alert\]|panic/)
})
