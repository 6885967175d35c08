// The reflector against a real API server, and what can happen to it and to the way there: what is told always ends as what exists.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Client } from "../../controller/input/cluster/connect/client.ts"
import { openAccess } from "../../controller/input/cluster/connect/configuration.ts"
import type { Delta, Resource } from "../../controller/input/cluster/watch/delta.ts"
import type { Cause } from "../../controller/input/cluster/watch/observer.ts"
import { reflect } from "../../controller/input/cluster/watch/reflect.ts"
import { type ApiServer, type ServiceAccount, startApiServer } from "../../harness/cluster/api-server.ts"
import { settings } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { letPass } from "../support/clock.ts"
import { type Gate, startGate, tooMany } from "./support/gate.ts"
import { type Link, startLink } from "./support/link.ts"

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server.stop())

let namespace: string
beforeEach(async () => {
  namespace = await server.namespace("reflected")
})

/** What a consumer has of the ConfigMaps of the namespace: name → resourceVersion. */
class Reflected implements AsyncDisposable {
  readonly state = new Map<string, string>()
  readonly deltas: Delta[] = []
  readonly causes: Cause[] = []
  lists = 0
  readonly #stop = new AbortController()
  readonly #client: Client
  readonly #done: Promise<void>

  constructor(client: Client, accept?: Resource["accept"]) {
    this.#client = client
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    const observer = {
      contact: () => {},
      listed: () => {
        this.lists += 1
      },
      failed: (cause: Cause) => this.causes.push(cause),
      close: () => {},
    }
    const resource = { title: "ConfigMaps", path, ...(accept && { accept }) }
    const { signal } = this.#stop
    this.#done = this.#follow(reflect({ api: client, resource, signal, observer, relistMs: 0 }))
  }

  async #follow(deltas: AsyncIterable<Delta>): Promise<void> {
    for await (const delta of deltas) {
      this.deltas.push(delta)
      for (const change of delta.changes) {
        if (change.kind === "set") this.state.set(change.name, change.version)
        else this.state.delete(change.name)
      }
    }
  }

  /** Waits until it has what exists. */
  async settled(): Promise<void> {
    const isSame = async () => {
      const exist = await server.admin.list("ConfigMap", namespace)
      const wanted = exist.map(({ metadata }) => `${namespace}/${metadata.name} ${metadata.resourceVersion}`)
      const had = [...this.state].map((entry) => entry.join(" "))
      return this.deltas.at(-1)?.synced && wanted.sort().join() === had.sort().join()
    }
    await until("the reflector to have what exists", isSame)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#done
    this.#client.close()
  }
}

async function reflected(kubeconfig: string, accept?: Resource["accept"]): Promise<Reflected> {
  const options = { kubeconfig, apiserverHost: "", certificateAuthority: "" }
  const access = await openAccess(options, { host: "", port: "" })
  return new Reflected(new Client({ access, userAgent: "wick/test" }), accept)
}

const put = (name: string, value: string) => server.admin.apply(settings(`${namespace}/${name}`, { value }))
const remove = (name: string) => server.admin.delete("ConfigMap", `${namespace}/${name}`)

/** Many at once, a few at a time. */
async function putMany(count: number, value: string): Promise<void> {
  for (let begin = 0; begin < count; begin += 20) {
    const names = Array.from({ length: Math.min(20, count - begin) }, (_, at) => `many-${begin + at}`)
    await Promise.all(names.map((name) => put(name, value)))
  }
}

describe("Through a link that fails", () => {
  let link: Link
  let watch: Reflected
  beforeEach(async () => {
    await put("one", "1")
    await put("two", "1")
    link = await startLink(server.port)
    watch = await reflected(server.adminKubeconfig(link.url))
    await watch.settled()
    return async () => {
      await watch[Symbol.asyncDispose]()
      await link[Symbol.asyncDispose]()
    }
  })

  test("nothing is lost in a burst of a thousand updates, while the connection is cut in the middle of objects", async () => {
    const updates = (async () => {
      await putMany(500, "a")
      await putMany(500, "b")
    })()
    let isOver = false
    void updates.finally(() => {
      isOver = true
    })
    for (let cuts = 0; cuts < 8; cuts += 1) {
      const before = link.connections
      // Enough for the TLS handshake and some events: after three watches without any it would have to list.
      link.resetAfter(12_000 + cuts * 517)
      await until("the next connection", () => link.connections > before || isOver)
    }
    await updates
    await watch.settled()
    expect(watch.causes).toContain("cut")
    expect(watch.lists, watch.causes.join()).toBe(1)
    expectForward(watch.deltas)
  })

  test("the server is killed and comes back: the watch goes on from where it was, if the server still knows that", async () => {
    await server.kill()
    await until("the loss to be noticed", () => watch.causes.length > 2)
    await server.start()
    await put("three", "1")
    await remove("one")
    await watch.settled()
    // The server may refuse the version: its cache of changes begins with its start, and one of them may have come before the watch.
    expect(watch.lists).toBe(watch.causes.includes("expired") ? 2 : 1)
    expect(watch.causes).toContain("unreachable")
  })

  test("what was compacted away meanwhile is found by a list that yields differences only", async () => {
    await link.unplug()
    await put("two", "2")
    await put("three", "1")
    await remove("one")
    await server.kill()
    server.compact()
    await server.start()
    const before = watch.deltas.length
    await link.plug()
    await watch.settled()
    expect(watch.lists).toBe(2)
    expect(watch.causes).toContain("expired")
    const told = watch.deltas
      .slice(before)
      .flatMap(({ changes }) => changes.map((c) => `${c.kind} ${c.name}`))
    expect(told.sort()).toEqual([
      `deleted ${namespace}/one`,
      `set ${namespace}/three`,
      `set ${namespace}/two`,
    ])
  })

  test("a frozen server is waited for", async () => {
    await server.freeze()
    const update = put("one", "2")
    await letPass(2000, "a watch that is not patient gives up")
    server.thaw()
    await update
    await watch.settled()
    expect(watch.causes).toEqual([])
    expect(watch.lists).toBe(1)
  })
})

describe("Through a gate that answers for the server", () => {
  let gate: Gate
  let account: ServiceAccount
  beforeEach(async () => {
    gate = await startGate(server)
    account = await server.serviceAccount(`${namespace}/reader`, gate.url)
    await grant("list", "watch")
    await until("the rights to be in force", () =>
      account.client.list("ConfigMap", namespace).then(
        () => true,
        () => false,
      ),
    )
    return () => gate[Symbol.asyncDispose]()
  })

  const grant = (...verbs: readonly string[]) =>
    server.admin.apply(
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        metadata: { namespace, name: "reader" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: [...verbs] }],
      },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { namespace, name: "reader" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: account.user }],
      },
    )

  test("more than a page is read in pages where lists are not streamed", async () => {
    await putMany(1100, "a")
    gate.refuse = ({ url = "" }) => (url.includes("sendInitialEvents") ? notStreamed : undefined)
    await using watch = await reflected(account.kubeconfig)
    await watch.settled()
    const sizes = watch.deltas.map(({ changes, synced }) => [changes.length, synced])
    expect(sizes).toEqual([
      [500, false],
      [500, false],
      [100, false],
      [0, true],
    ])
    await put("one", "1")
    await watch.settled()
    expect(watch.lists).toBe(1)
  })

  test("a list of which the next page has been forgotten is begun anew", async () => {
    await putMany(600, "a")
    let pages = 0
    gate.refuse = ({ url = "" }) => {
      if (url.includes("sendInitialEvents")) return notStreamed
      if (url.includes("continue=")) pages += 1
      return url.includes("continue=") && pages === 1 ? forgotten : undefined
    }
    await using watch = await reflected(account.kubeconfig)
    await watch.settled()
    expect(watch.causes).toEqual(["refused", "expired"])
    expect(watch.deltas.filter(({ synced }) => synced).length).toBe(1)
  })

  test("a server that has too much to do is left alone for as long as it wants", async () => {
    gate.refuse = () => tooMany(20)
    await using watch = await reflected(account.kubeconfig)
    await until("the refusal", () => watch.causes.length > 0)
    const { length } = gate.asked
    await letPass(1500, "who does not heed that asks again")
    expect(gate.asked).toHaveLength(length)
    gate.refuse = () => undefined
    await watch.settled()
    expect(watch.causes).toEqual(["throttled"])
  })

  test("rights that are taken away leave what was known, and are used when they are given again", async () => {
    await put("one", "1")
    await using watch = await reflected(account.kubeconfig)
    await watch.settled()
    await grant("get")
    await until("the rights to be gone", () =>
      account.client.list("ConfigMap", namespace).then(
        () => false,
        () => true,
      ),
    )
    gate.reset()
    await until("the refusal", () => watch.causes.includes("denied"))
    expect([...watch.state.keys()]).toContain(`${namespace}/one`)
    await remove("one")
    await grant("list", "watch")
    await watch.settled()
    expect([...watch.state.keys()]).not.toContain(`${namespace}/one`)
  })
})

test("metadata alone is told of objects without their content", async () => {
  await put("one", "the content")
  await using watch = await reflected(server.adminKubeconfig(), {
    list: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
    watch: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  })
  await watch.settled()
  await put("one", "the content again")
  await watch.settled()
  expect(JSON.stringify(watch.deltas)).not.toContain("the content")
})

const notStreamed = statusOf(422, "Invalid", "sendInitialEvents is forbidden for watch")
const forgotten = statusOf(410, "Expired", "The provided continue parameter is too old")

function statusOf(code: number, reason: string, message: string) {
  const body = JSON.stringify({ apiVersion: "v1", kind: "Status", status: "Failure", code, reason, message })
  return { status: code, headers: { "content-type": "application/json" }, body }
}

/** Versions of one kind in one server are numbers that grow: none comes after a later one of the same object. */
function expectForward(deltas: readonly Delta[]): void {
  const latest = new Map<string, number>()
  for (const change of deltas.flatMap(({ changes }) => changes)) {
    if (change.kind !== "set") continue
    expect(Number(change.version)).toBeGreaterThan(latest.get(change.name) ?? 0)
    latest.set(change.name, Number(change.version))
  }
}
