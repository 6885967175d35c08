// The Lease in a real API server, with the rights of deploy/static/rbac.yaml. What the network may do to it is in test/unit/input/cluster/lease.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client } from "../../controller/input/cluster/connect/client.ts"
import { Kubeconfig } from "../../controller/input/cluster/connect/kubeconfig.ts"
import { Lease } from "../../controller/input/cluster/lease/lease.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { grant, type RightsOptions, type Rule } from "../../harness/cluster/rights.ts"
import { until } from "../../harness/until.ts"
import { staysFor, tookAtLeast } from "../support/clock.ts"

const ttlMs = 6000
/** So long that nobody sees it run out. */
const longMs = 3_600_000
const name = "ingress-controller-leader"

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server.stop())

/** Electors of a namespace of their own, that end with the test. */
class Electors implements AsyncDisposable {
  readonly namespace: string
  readonly all: Elector[] = []
  readonly #kubeconfig: string
  readonly #ttlMs: number
  readonly #clients: Client[] = []

  private constructor(namespace: string, kubeconfig: string, ttlMs: number) {
    this.namespace = namespace
    this.#kubeconfig = kubeconfig
    this.#ttlMs = ttlMs
  }

  static async in(prefix: string, rights: RightsOptions = {}, leaseMs = ttlMs): Promise<Electors> {
    const namespace = await server.namespace(prefix)
    return new Electors(namespace, (await grant(server, namespace, rights)).kubeconfig, leaseMs)
  }

  async start(identity: string): Promise<Elector> {
    const access = await Kubeconfig.open(this.#kubeconfig, { server: undefined, ca: undefined })
    const client = new Client({ access, userAgent: "wick/test" })
    const log: string[] = []
    const record = (fields: unknown, message = "") => {
      log.push(`${message} ${JSON.stringify(fields)}`)
    }
    const { namespace } = this
    const options = { api: client, namespace, name, identity, ttlMs: this.#ttlMs }
    const lease = new Lease({ ...options, log: { info: record, warn: record } })
    lease.compete()
    this.#clients.push(client)
    const elector = { identity, lease, log }
    this.all.push(elector)
    return elector
  }

  leaders(): Elector[] {
    return this.all.filter(({ lease }) => lease.isLeader)
  }

  /** Waits for one, and is not content with two. */
  async leader(): Promise<Elector> {
    const [leader] = await until("a leader", () => this.leaders().length > 0 && this.leaders())
    expect(this.leaders()).toHaveLength(1)
    return leader as Elector
  }

  other(than: Elector): Elector {
    return this.all.find((elector) => elector !== than) as Elector
  }

  async spec() {
    return (await server.admin.get("Lease", `${this.namespace}/${name}`))?.spec
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map(({ lease }) => lease.close()))
    for (const client of this.#clients) client.close()
  }
}

interface Elector {
  readonly identity: string
  readonly lease: Lease
  readonly log: string[]
}

test("one of two holds and renews it, as client-go writes it", async () => {
  await using electors = await Electors.in("held", {}, 5 * ttlMs)
  await electors.start("a")
  await electors.start("b")
  const { identity } = await electors.leader()
  const first = await electors.spec()
  expect(first).toMatchObject({
    holderIdentity: identity,
    leaseDurationSeconds: (5 * ttlMs) / 1000,
    leaseTransitions: 0,
  })
  const renewed = await until("a renewal", async () => {
    const spec = await electors.spec()
    return spec.renewTime !== first.renewTime && spec
  })
  expect({ ...renewed, renewTime: first.renewTime }).toEqual(first)
  expect(electors.leaders().map((leader) => leader.identity)).toEqual([identity])
})

test("who closes hands over at once", async () => {
  await using electors = await Electors.in("handed", {}, longMs)
  await electors.start("a")
  await electors.start("b")
  const leader = await electors.leader()
  await until("the other to follow", () => electors.other(leader).log.join().includes("Another"))
  const { term } = leader.lease
  await leader.lease.close()
  expect(term.aborted).toBe(true)
  await until("the other to lead", () => electors.other(leader).lease.isLeader)
  expect(await electors.spec()).toMatchObject({
    holderIdentity: electors.other(leader).identity,
    leaseTransitions: 1,
  })
})

test("who closes alone leaves it to the next one", async () => {
  await using electors = await Electors.in("free", {}, longMs)
  const only = await electors.start("a")
  await electors.leader()
  await only.lease.close()
  expect(await electors.spec()).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 })
  await electors.start("b")
  await electors.leader()
})

test("an ingress-nginx beside is respected as long as it renews, and followed when it is gone", async () => {
  await using electors = await Electors.in("beside")
  const lease = { namespace: electors.namespace, name }
  const renew = () =>
    server.admin.apply({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: lease,
      spec: {
        holderIdentity: "ingress-nginx-controller-7d4b9c-x2x4z",
        leaseDurationSeconds: ttlMs / 1000,
        acquireTime: "2026-01-01T00:00:00.000000Z",
        renewTime: new Date().toISOString().replace("Z", "000Z"),
        leaseTransitions: 3,
      },
    })
  await renew()
  await electors.start("a")
  await staysFor(2 * ttlMs, async () => {
    expect(electors.leaders()).toEqual([])
    await renew()
  })
  await tookAtLeast(ttlMs - 200, async () => {
    await renew()
    await electors.leader()
  })
  expect(await electors.spec()).toMatchObject({ holderIdentity: "a", leaseTransitions: 4 })
})

test("nobody leads while the API server is away longer than the duration; then one does", async () => {
  await using electors = await Electors.in("away")
  await electors.start("a")
  await electors.start("b")
  const leader = await electors.leader()
  await server.freeze()
  await until("the end of the term", () => electors.leaders().length === 0)
  // Longer than the Lease is good for.
  await staysFor(1.5 * ttlMs, () => expect(electors.leaders()).toEqual([]))
  server.thaw()
  await electors.leader()
  expect(leader.log.join()).toContain("No longer leading")
})

test("a right that is missing is named", async () => {
  const withoutLeases = { change: (rules: readonly Rule[]) => rules.filter(isNotAboutLeases) }
  await using electors = await Electors.in("forbidden", withoutLeases)
  const { log } = await electors.start("a")
  await until("a line", () => log.length > 0)
  const missing = `cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "${electors.namespace}"`
  expect(log[0]).toContain(JSON.stringify(missing).slice(1, -1))
})

function isNotAboutLeases({ resources }: Rule): boolean {
  return !resources.includes("leases")
}
