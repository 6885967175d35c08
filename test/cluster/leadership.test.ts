// Two replicas of wick: one of them leads, whatever happens to it, and only that one writes. Each writes an address of its own, so that the
// audit log tells who wrote what.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ApiServer, ServiceAccount } from "../../harness/cluster/api-server.ts"
import { AuditedServer } from "../../harness/cluster/audit.ts"
import { grant } from "../../harness/cluster/rights.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ask } from "../../harness/http.ts"
import { ingress, ingressClass } from "../../harness/manifests.ts"
import { signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { tookAtLeast } from "../support/clock.ts"

const ttlSeconds = 12

let audited: AuditedServer
let server: ApiServer
beforeAll(async () => {
  audited = await AuditedServer.start()
  server = audited.server
  await server.admin.apply(ingressClass)
})
afterAll(() => audited[Symbol.asyncDispose]())

interface Replica {
  readonly wick: Wick
  readonly pod: string
  readonly address: string
}

/** Two replicas, and a namespace in which Ingresses come and go, so that there is always a status to write. */
class Pair implements AsyncDisposable {
  readonly first: Replica
  readonly second: Replica
  readonly #account: ServiceAccount
  readonly #namespace: string
  #made = 0

  private constructor(namespace: string, account: ServiceAccount, first: Replica, second: Replica) {
    this.#namespace = namespace
    this.#account = account
    this.first = first
    this.second = second
  }

  static async start(prefix: string, leaseSeconds = ttlSeconds): Promise<Pair> {
    const namespace = await server.namespace(prefix)
    const account = await grant(server, namespace)
    const start = async (pod: string, address: string): Promise<Replica> => {
      const flags = [
        `--watch-namespace=${namespace}`,
        `--publish-status-address=${address}`,
        `--election-ttl=${leaseSeconds}s`,
        "--update-status-on-shutdown=false",
      ]
      const { kubeconfig } = account
      const options = { pod: `${namespace}/${pod}`, kubeconfig, flags }
      return { wick: await startWickIn(server, options), pod, address }
    }
    const first = await start("one", "203.0.113.1")
    const pair = new Pair(namespace, account, first, await start("two", "203.0.113.2"))
    await pair.isLed(first)
    await pair.writes(first)
    return pair
  }

  /** Waits until the metric of this one says that it leads. */
  async isLed({ wick, pod }: Replica): Promise<void> {
    await until(`${pod} to lead`, async () => (await leads(wick)) === 1)
  }

  /** Makes an Ingress and waits until somebody has given it a status, which has to be this one. */
  async writes({ address }: Replica): Promise<void> {
    this.#made += 1
    const name = `${this.#namespace}/web-${this.#made}`
    await server.admin.apply(ingress(name, `${this.#namespace}-${this.#made}.test/ → web:80`))
    expect(await until("a status", () => addressOf(name))).toBe(address)
  }

  async holder(): Promise<unknown> {
    return (await server.admin.get("Lease", `${this.#namespace}/ingress-controller-leader`))?.spec
      .holderIdentity
  }

  /** The addresses in the order in which they were written, each once for all that was written in a row. */
  written(): string[] {
    return audited
      .asked(this.#account.user)
      .filter(({ resource, status }) => resource === "ingresses/status" && status === 200)
      .map(({ body }) => (body as IngressBody).status.loadBalancer.ingress[0]?.ip ?? "")
      .filter((address, index, all) => address !== all[index - 1])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.first.wick.stop(), this.second.wick.stop()])
  }
}

interface IngressBody {
  readonly status: { readonly loadBalancer: { readonly ingress: readonly { readonly ip: string }[] } }
}

async function addressOf(name: string): Promise<string | undefined> {
  return (await server.admin.get("Ingress", name))?.status.loadBalancer.ingress?.[0]?.ip
}

/** The metric of leadership; undefined as long as there is none. */
async function leads({ healthPort }: Wick): Promise<number | undefined> {
  const { body } = await ask({ port: healthPort }, { path: "/metrics" })
  const name = "nginx_ingress_controller_leader_election_status"
  const found = new RegExp(`^${name}\\{name="ingress-controller-leader",.*\\} ([01])$`, "m").exec(body)
  return found === null ? undefined : Number(found[1])
}

test("the one that came first leads; one that is stopped hands over at once", async () => {
  await using pair = await Pair.start("stopped", 3600)
  const { first, second } = pair
  expect(await leads(second.wick)).toBeUndefined()
  signal(first.wick.pid, "SIGTERM")
  // Its Lease would be good for an hour.
  await pair.isLed(second)
  await until("the line", () => first.wick.log().includes("Released the Lease"))
  await pair.writes(second)
  expect(pair.written()).toEqual([first.address, second.address])
})

test("the leader tells when certificates end, both tell what they are, and a follower takes that over", async () => {
  await using pair = await Pair.start("certificates", 3600)
  const { first, second } = pair
  const ends = ({ wick }: Replica) => wick.metric("nginx_ingress_controller_ssl_expire_time_seconds")
  const infos = ({ wick }: Replica) => wick.metric("nginx_ingress_controller_ssl_certificate_info")
  await until(
    "both to tell of a certificate",
    async () => (await infos(first)) > 0 && (await infos(second)) > 0,
  )
  expect([(await ends(first)) > 0, await ends(second)]).toEqual([true, 0])
  await first.wick.stop()
  await pair.isLed(second)
  await until("the other to tell", async () => (await ends(second)) > 0)
})

test("one that is killed is followed when its Lease has run out", async () => {
  await using pair = await Pair.start("killed")
  const { first, second } = pair
  await tookAtLeast((ttlSeconds / 2) * 1000, async () => {
    await first.wick.kill()
    await pair.isLed(second)
  })
  await pair.writes(second)
  expect(pair.written()).toEqual([first.address, second.address])
})

test("one that stood still does not write when it goes on", async () => {
  await using pair = await Pair.start("still")
  const { first, second } = pair
  signal(first.wick.pid, "SIGSTOP")
  await pair.isLed(second)
  await pair.writes(second)
  signal(first.wick.pid, "SIGCONT")
  await until("the first to know", async () => (await leads(first.wick)) === 0)
  for (let i = 0; i < 5; i += 1) await pair.writes(second)
  expect(await pair.holder()).toBe(second.pod)
  expect(pair.written()).toEqual([first.address, second.address])
})

test("nobody leads while the API server is away, then one does, and no two of them", async () => {
  await using pair = await Pair.start("away")
  const both = [pair.first, pair.second]
  await server.kill()
  await until("the end of the term", async () => (await leads(pair.first.wick)) === 0)
  expect(await leads(pair.second.wick)).toBeUndefined()
  await server.start()
  const leading = async () => {
    const metrics = await Promise.all(both.map(({ wick }) => leads(wick)))
    return both.filter((_, at) => metrics[at] === 1)
  }
  await until("a leader", async () => (await leading()).length > 0)
  const [leader, ...others] = await leading()
  expect(others).toEqual([])
  if (leader) await pair.writes(leader)
  expect(await pair.holder()).toBe(leader?.pod)
})
