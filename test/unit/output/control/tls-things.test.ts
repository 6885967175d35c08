// What TLS goes by, towards clients and backends: what names it and what it names are posted in an order that leaves nothing unnamed.
import { beforeEach, describe, expect, test } from "vitest"
import type { Live } from "../../../../controller/model/model.ts"
import { problemsOf } from "../../../../controller/output/control/refusal.ts"
import { certificate } from "./live.ts"
import { type StartedControl, shop, startControl } from "./started-control.ts"

let fake: StartedControl["fake"]
let to: StartedControl["to"]
beforeEach(async () => {
  const started = await startControl()
  ;({ fake, to } = started)
  return started.stop
})

describe("things of TLS", () => {
  const tls = (id: string): Live => ({
    ...shop,
    certificates: [certificate(id)],
    authorities: [{ id: `ca-${id}`, certificates: ["MAA="], crls: [] }],
    staples: [{ certificate: id, response: "MAA=", untilMs: 1 }],
    tlsHosts: [
      {
        host: "a.test",
        certificates: [id],
        clientCertificate: { authority: `ca-${id}`, verify: "on", depth: 1 },
      },
    ],
    passthroughs: [{ host: "p.test", owner: "shop", backend: "shop-p-443" }],
  })
  const there = () =>
    Object.fromEntries(Object.entries(fake.zones).map(([list, zone]) => [list, [...zone.keys()]]))

  test("are set with the first change, and what is there besides is removed at once", async () => {
    fake.zones.certificates.set("old", {})
    fake.zones.tls_hosts.set("old.test", {})
    fake.zones.passthroughs.set("old.test", {})
    expect(await to(tls("c1"))).toEqual({ inForce: tls("c1"), refusals: [] })
    expect(there()).toMatchObject({
      certificates: ["c1"],
      authorities: ["ca-c1"],
      staples: ["c1"],
      tls_hosts: ["a.test"],
      passthroughs: ["p.test"],
    })
  })

  test("a certificate that takes the place of another is one post", async () => {
    await to(tls("c1"))
    const { length } = fake.posted
    expect((await to(tls("c2"), tls("c1"))).refusals).toEqual([])
    expect(fake.posted.slice(length)).toMatchObject([
      {
        certificates: { set: [{ id: "c2" }], remove: ["c1"] },
        tls_hosts: { set: [{ host: "a.test", certificates: ["c2"] }], remove: [] },
        routes: { set: [], remove: [] },
      },
    ])
    expect(there()).toMatchObject({ certificates: ["c2"], authorities: ["ca-c2"], staples: ["c2"] })
  })

  test("one that keeps its id is not posted again, whatever object it is", async () => {
    await to(tls("c1"))
    const { length } = fake.posted
    await to(tls("c1"), tls("c1"))
    expect(fake.posted).toHaveLength(length)
  })

  test("a certificate that is refused leaves its host with the one before, until it is taken", async () => {
    await to(tls("c1"))
    fake.refuses.add("c2")
    const { inForce, refusals } = await to(tls("c2"), tls("c1"))
    expect(there()).toMatchObject({ certificates: ["c1"], staples: ["c1"], tls_hosts: ["a.test"] })
    expect(fake.zones.tls_hosts.get("a.test")).toMatchObject({ certificates: ["c1"] })
    expect(inForce.tlsHosts).toEqual(tls("c1").tlsHosts)
    // The fake refuses its staple, too.
    expect(problemsOf(refusals, tls("c2")).slice(0, 1)).toEqual([
      {
        object: { kind: "Ingress", namespace: "shop", name: "a.test" },
        field: "spec.tls",
        code: "refused",
        message: 'Cannot serve certificate "c2" of host "a.test": c2 is bad',
      },
    ])
    fake.refuses.clear()
    expect(await to(tls("c2"), inForce)).toEqual({ inForce: tls("c2"), refusals: [] })
    expect(there()).toMatchObject({ certificates: ["c2"], authorities: ["ca-c2"] })
  })

  test("a full zone lets go of what nobody names, and takes the rest then", async () => {
    const spare = { ...tls("c1"), certificates: [certificate("c1"), certificate("c9")] }
    await to(spare)
    fake.room = 2
    expect(await to(tls("c2"), spare)).toEqual({ inForce: tls("c2"), refusals: [] })
    expect(there()).toMatchObject({ certificates: ["c2"], tls_hosts: ["a.test"] })
  })

  test("a refusal names the host of everything", async () => {
    for (const name of ["ca-c1", "p.test"]) fake.refuses.add(name)
    const { refusals } = await to(tls("c1"))
    expect(problemsOf(refusals, tls("c1")).map(({ message }) => message)).toEqual([
      'Cannot serve client authority "ca-c1" of host "a.test": ca-c1 is bad',
      'Cannot serve passthrough of host "p.test": p.test is bad',
    ])
  })
})

describe("what TLS towards backends names", () => {
  const spoken = (certificateId: string, authority: string): Live => ({
    ...shop,
    certificates: [certificate(certificateId)],
    authorities: [{ id: authority, certificates: ["MAMCAQE="], crls: [] }],
    hosts: shop.hosts.map((host, at) => ({
      ...host,
      routes: host.routes.map((route) =>
        at === 0 ? { ...route, backendTls: { certificate: certificateId, authority, depth: 1 } } : route,
      ),
    })),
  })
  const there = () => [...fake.zones.certificates.keys(), ...fake.zones.authorities.keys()]
  const statuses = ({ hosts }: Live) => hosts.flatMap(({ routes }) => routes.map(({ status }) => status))

  test("is posted before the routes that name it, and goes behind them", async () => {
    await to(spoken("c1", "a1"))
    const { length } = fake.posted
    expect((await to(spoken("c2", "a2"), spoken("c1", "a1"))).refusals).toEqual([])
    expect(fake.posted.slice(length)).toMatchObject([
      {
        certificates: { remove: ["c1"] },
        authorities: { remove: ["a1"] },
        routes: { set: [{ host: "a.test" }] },
      },
    ])
    expect(there()).toEqual(["c2", "a2"])
    expect(fake.missing).toEqual([])
  })

  test.each([
    ["certificate", "c2"],
    ["authority", "a2"],
  ])("closes the routes that name it where the %s is refused, until it is taken", async (what, id) => {
    await to(spoken("c1", "a1"))
    fake.refuses.add(id)
    const wanted = spoken("c2", "a2")
    const { inForce, refusals } = await to(wanted, spoken("c1", "a1"))
    expect(statuses(inForce)).toEqual([503, undefined])
    expect(JSON.stringify([...fake.zones.routes.values()])).not.toContain("backend_tls")
    expect(problemsOf(refusals, wanted)[0]).toEqual({
      object: { kind: "Ingress", namespace: "shop", name: "a.test" },
      ...{ field: "spec.rules", code: "refused" },
      message: `Cannot serve ${what} "${id}" of backends: ${id} is bad`,
    })
    fake.refuses.clear()
    expect(await to(wanted, inForce)).toEqual({ inForce: wanted, refusals: [] })
    expect(there()).toEqual(["c2", "a2"])
  })

  test("stays where the host that names it is refused", async () => {
    await to(spoken("c1", "a1"))
    fake.refuses.add("a.test")
    const { inForce } = await to(spoken("c2", "a2"), spoken("c1", "a1"))
    expect(there()).toEqual(expect.arrayContaining(["c1", "a1"]))
    fake.refuses.clear()
    await to(spoken("c2", "a2"), inForce)
    expect(there()).toEqual(["c2", "a2"])
  })
})
