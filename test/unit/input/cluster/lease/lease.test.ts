import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../../../../support/runs.ts"
import { type Fault, World, type WorldOptions } from "./world.ts"

const ttlMs = 30_000
const world = (options: Partial<WorldOptions> = {}) => new World({ replicas: 2, ttlMs, seed: 1, ...options })
const names = (replicas: readonly { readonly name: string }[]) => replicas.map(({ name }) => name)
const spec = ({ object }: World) => object?.spec ?? {}

/** The one that leads. */
function leaderOf(world: World) {
  const [leader, ...others] = world.leaders()
  expect(others).toEqual([])
  if (leader === undefined) throw new Error("Nobody leads")
  return leader
}

/** Someone else's Lease, as client-go writes it. */
function clientGo(fields: object = {}) {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "leader", namespace: "ingress", resourceVersion: "1", labels: { app: "old" } },
    spec: {
      holderIdentity: "ingress-nginx-controller-7d4b9c-x2x4z",
      leaseDurationSeconds: 30,
      acquireTime: "2026-01-01T00:00:00.000000Z",
      renewTime: "2026-01-01T00:00:00.000000Z",
      leaseTransitions: 4,
      ...fields,
    },
  }
}

describe("a Lease", () => {
  test("is made, held and renewed by one of two", async () => {
    const w = world()
    await w.run(100)
    const leader = leaderOf(w)
    expect(spec(w)).toMatchObject({
      holderIdentity: leader.name,
      leaseDurationSeconds: 30,
      leaseTransitions: 0,
    })
    const first = spec(w)
    await w.run(600_000)
    expect(leaderOf(w)).toBe(leader)
    expect(spec(w).acquireTime).toBe(first.acquireTime)
    expect(spec(w).renewTime).not.toBe(first.renewTime)
    expect(spec(w).renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })

  test("costs one request every quarter of its duration", async () => {
    const w = world()
    await w.run(10_000)
    const before = w.requests
    await w.run(10_000 + 20 * (ttlMs / 4))
    expect(w.requests - before).toBeLessThan(24)
  })

  test("is taken within its duration when the leader is killed", async () => {
    const w = world()
    await w.run(50_000)
    const leader = leaderOf(w)
    leader.isDead = true
    await w.run(50_000 + 1.2 * ttlMs)
    expect(leaderOf(w)).not.toBe(leader)
    expect(spec(w).leaseTransitions).toBe(1)
  })

  test.each([
    ["at once", true, 200],
    ["within three seconds where it may not be watched", false, 3000],
  ])("is taken %s when the leader closes", async (_, watches, withinMs) => {
    const w = world({ watches })
    await w.run(50_000)
    const leader = leaderOf(w)
    const { term } = leader.lease
    void leader.lease.close()
    expect(leader.lease.isLeader).toBe(true) // until what is running has ended
    await w.run(50_000 + withinMs)
    expect(term.aborted).toBe(true)
    expect(leaderOf(w)).not.toBe(leader)
  })

  test("that may not be watched is taken within three seconds, whenever it is released", async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const w = world({ seed, watches: false })
      const releasedMs = 50_000 + 777 * seed
      await w.run(releasedMs)
      const leader = leaderOf(w)
      void leader.lease.close()
      await w.run(releasedMs + 3000)
      expect(leaderOf(w)).not.toBe(leader)
    }
  })

  test("that may not be watched costs who follows one request every two seconds, and rarely a watch", async () => {
    const w = world({ replicas: 1, watches: false })
    for (let atMs = 0; atMs < 600_000; atMs += 7500)
      w.at(atMs, () => w.replace(clientGo({ renewTime: `2026-01-01T00:00:00.${100_000 + atMs}Z` })))
    await w.run(600_000, () => expect(w.leaders()).toEqual([]))
    expect(w.requests).toBeLessThan(600 / 1.8)
    expect(w.watchRequests).toBeLessThan(600 / 25)
  })

  test("is watched again once it may be", async () => {
    const w = world({ watches: false })
    await w.run(50_000)
    w.mayWatch = true
    await w.run(100_000)
    void leaderOf(w).lease.close()
    await w.run(100_200)
    leaderOf(w)
  })

  test("is left as client-go leaves it", async () => {
    const w = world({ replicas: 1 })
    await w.run(50_000)
    void leaderOf(w).lease.close()
    await w.run(51_000)
    expect(spec(w)).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 0 })
  })

  test("of an ingress-nginx that renews it stays with that one", async () => {
    const w = world()
    w.object = clientGo()
    for (let atMs = 0; atMs < 300_000; atMs += 7500)
      w.at(atMs, () => w.replace(clientGo({ renewTime: `2026-01-01T00:00:00.${100_000 + atMs}Z` })))
    await w.run(300_000, () => expect(w.leaders()).toEqual([]))
    expect(w.replicas[0]?.log).toEqual([
      'Another replica leads {"lease":"ingress/leader","identity":"pod-0","leader":"ingress-nginx-controller-7d4b9c-x2x4z"}',
    ])
  })

  test("of an ingress-nginx that is gone is taken over with all that is not ours", async () => {
    const w = world()
    w.object = clientGo()
    await w.run(0.8 * ttlMs, () => expect(w.leaders()).toEqual([]))
    await w.run(1.3 * ttlMs)
    expect(spec(w)).toMatchObject({ holderIdentity: leaderOf(w).name, leaseTransitions: 5 })
    expect(w.object?.metadata).toMatchObject({ labels: { app: "old" } })
  })

  test("that nobody holds is taken at once, whatever its times say", async () => {
    const w = world()
    w.object = clientGo({ holderIdentity: "", renewTime: "2999-01-01T00:00:00.000000Z" })
    await w.run(200)
    expect(spec(w)).toMatchObject({ holderIdentity: leaderOf(w).name, leaseTransitions: 5 })
  })

  test("runs for as long as its holder says", async () => {
    const w = world()
    w.object = clientGo({ leaseDurationSeconds: 120 })
    await w.run(100_000, () => expect(w.leaders()).toEqual([]))
    await w.run(140_000)
    leaderOf(w)
  })

  test("without a duration runs for ours", async () => {
    const w = world()
    w.object = clientGo({ leaseDurationSeconds: undefined })
    await w.run(0.8 * ttlMs, () => expect(w.leaders()).toEqual([]))
    await w.run(1.3 * ttlMs)
    leaderOf(w)
  })

  test("held under the name of a container that was killed is taken by the next one at once", async () => {
    const w = world({ replicas: 1 })
    await w.run(50_000)
    leaderOf(w).isDead = true
    const next = w.start("pod-0")
    await w.run(50_200)
    expect(leaderOf(w)).toBe(next)
    expect(spec(w).leaseTransitions).toBe(0)
  })

  test("that is edited is given up at the next renewal", async () => {
    const w = world({ replicas: 1 })
    await w.run(50_000)
    w.replace(clientGo())
    await w.run(50_000 + 1.3 * (ttlMs / 4))
    expect(w.leaders()).toEqual([])
  })

  test("that is deleted is made again by its leader, and by nobody else as long as that one may lead", async () => {
    const w = world({ replicas: 3 })
    await w.run(50_000)
    const leader = leaderOf(w)
    w.replace(undefined)
    await w.run(50_000 + ttlMs / 4 + 5000, () => expect(w.leaders().length).toBeLessThan(2))
    expect(leaderOf(w)).toBe(leader)
    leader.isDead = true
    w.replace(undefined)
    await w.run(150_000)
    expect(leaderOf(w)).not.toBe(leader)
  })
})

describe("an API server that is away", () => {
  test.each([
    "down",
    "freeze",
  ] as const)("(%s) longer than the duration leads to no leader, then to one", async (kind) => {
    const w = world({ replicas: 3 })
    await w.run(50_000)
    w.inject({ kind, who: 0, atMs: 50_000, lengthMs: 90_000 })
    await w.run(50_000 + 0.6 * ttlMs)
    await w.run(139_000, () => expect(w.leaders()).toEqual([]))
    await w.run(139_000 + 2.2 * ttlMs, () => expect(w.leaders().length).toBeLessThan(2))
    leaderOf(w)
  })

  test("for a moment costs no leadership", async () => {
    const w = world()
    await w.run(50_000)
    const { term } = leaderOf(w).lease
    for (let atMs = 50_000; atMs < 650_000; atMs += 60_000)
      w.inject({ kind: "down", who: 0, atMs, lengthMs: 6000 })
    await w.run(650_000)
    expect(term.aborted).toBe(false)
  })

  test("is one line when it goes, one when it is back", async () => {
    const w = world({ replicas: 1 })
    await w.run(50_000)
    w.inject({ kind: "down", who: 0, atMs: 50_000, lengthMs: 300_000 })
    await w.run(500_000)
    expect(w.replicas[0]?.log.map((line) => line.replace(/ \{.*/, ""))).toEqual([
      "Leading",
      "Cannot use the Lease",
      "No longer leading",
      "Leading",
      "The Lease can be used again",
    ])
  })
})

describe("a process that was stopped", () => {
  test("does not lead from the moment it goes on", async () => {
    const w = world()
    await w.run(50_000)
    const leader = leaderOf(w)
    w.inject({ kind: "pause", who: w.replicas.indexOf(leader), atMs: 50_000, lengthMs: 2 * ttlMs })
    await w.run(50_000 + 2 * ttlMs - 1)
    expect(leaderOf(w)).not.toBe(leader)
    await w.run(50_000 + 10 * ttlMs, () => expect(names(w.leaders())).not.toContain(leader.name))
    expect(leader.log.join()).toContain("No longer leading")
  })

  test("knows by the other clock when the steady one stood still", async () => {
    const w = world({ replicas: 1 })
    await w.run(50_000)
    const leader = leaderOf(w)
    leader.dateJumpMs = ttlMs
    expect(leader.lease.isLeader).toBe(false)
    await w.run(50_000 + ttlMs / 2)
    leaderOf(w)
  })
})

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom("pause", "kill", "close", "down", "freeze", "cut"),
  who: fc.nat(2),
  atMs: fc.nat(400_000),
  lengthMs: fc.nat(3 * ttlMs),
})

describe("whatever goes wrong", () => {
  test("there are never two leaders, nor writes of them in turns, and in the end there is one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 2, max: 3 }),
        fc.constantFrom(0, 0.05, 0.3),
        fc.constantFrom(20, 2000, ttlMs / 4),
        fc.boolean(),
        fc.array(fault, { maxLength: 12 }),
        async (seed, replicas, loss, latencyMs, watches, faults) => {
          const w = world({ seed, replicas, loss, latencyMs, watches })
          for (const fault of faults) w.inject(fault)
          for (let atMs = 0; atMs < 600_000; atMs += 900)
            w.at(atMs, () => {
              for (const leader of w.leaders()) w.write(leader)
            })
          await w.run(600_000, () => expect(w.leaders().length).toBeLessThan(2))
          expect(reignsOf(w).length).toBe(new Set(reignsOf(w)).size)
          w.heal()
          await w.run(800_000)
          leaderOf(w)
        },
      ),
      runs(20),
    )
  })
})

/** The reigns in which something was written, each once for all that was written in one go. */
function reignsOf({ taken }: World) {
  return taken.filter((reign, index) => reign !== taken[index - 1])
}
