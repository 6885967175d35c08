import { setImmediate as turn } from "node:timers/promises"
import { afterEach, describe, expect, test } from "vitest"
import { referencesIn } from "../../../../controller/core/annotations/references.ts"
import { parseFlags } from "../../../../controller/core/options/flags.ts"
import { referencesInSettings } from "../../../../controller/core/options/references.ts"
import { referencesInStreams } from "../../../../controller/core/streams/references.ts"
import { ApiFailure } from "../../../../controller/input/cluster/api.ts"
import { clusterSource } from "../../../../controller/input/cluster/cluster-source.ts"
import type { Delta } from "../../../../controller/input/cluster/watch/delta.ts"
import { type Watched, watchedFor } from "../../../../controller/input/cluster/watched.ts"
import { Store } from "../../../../controller/input/store/store.ts"
import type { Kind } from "../../../../controller/model/objects/object.ts"
import type { Snapshot } from "../../../../controller/model/snapshot.ts"
import { Channel } from "../../../../controller/support/channel.ts"
import { Feed } from "../../../../controller/sync/feed.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  withTls,
} from "../../../../harness/manifests.ts"
import { until } from "../../../../harness/until.ts"

const command = parseFlags(["--configmap=ingress/settings", "--default-ssl-certificate=ingress/default"])
if (command.kind !== "run") throw new Error(JSON.stringify(command))
const { options } = command
const pod = { namespace: "ingress", name: "wick-0", labels: { app: "wick" } }
const watched = watchedFor(options, { readsClasses: true, pod })

const over: AbortController[] = []
afterEach(() => {
  for (const controller of over.splice(0)) controller.abort()
})

const nameOf = ({ metadata }: Json) => {
  const { namespace, name } = metadata as { namespace?: string; name: string }
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** An API server, the source that follows it, and a store with passes behind that. Everything is listed except when a test does that itself. */
class World {
  readonly passes: Snapshot[] = []
  readonly statuses = new Map<string, unknown>()
  readonly lines: string[] = []
  readonly reads: string[] = []
  /** may be replaced: what happens before the content of an object is told */
  beforeRead: (name: string) => Promise<void> = async () => {}
  readonly #objects = new Map<string, Json>()
  readonly #channels = new Map<Kind, Channel<Delta>>()
  readonly #failed = new Map<Kind, () => void>()
  readonly #store = new Store({
    ...options,
    pod,
    readsClasses: true,
    reportsUnassigned: false,
    referencesOf: (ingress) => referencesIn(ingress, options.annotationsPrefix),
    referencesOfSettings: referencesInSettings,
    referencesOfStreams: referencesInStreams,
  })
  readonly feed: Feed
  #version = 0

  constructor(...listed: readonly Kind[]) {
    const controller = new AbortController()
    over.push(controller)
    const line = (fields: object, message: string) => void this.lines.push(JSON.stringify([fields, message]))
    for (const { kind } of watched) this.#channels.set(kind, new Channel())
    controller.signal.addEventListener("abort", () => {
      for (const channel of this.#channels.values()) channel.close()
    })
    const source = clusterSource({
      watched,
      reflect: ({ kind }: Watched, failed) => {
        this.#failed.set(kind, failed)
        return this.#channel(kind)
      },
      readingOf: (kind) => ({
        one: async (name) => {
          this.reads.push(`${kind} ${name}`)
          await this.beforeRead(name)
          const object = this.#objects.get(`${kind} ${name}`)
          return (
            object && { version: (object.metadata as { resourceVersion: string }).resourceVersion, object }
          )
        },
        all: async function* () {},
      }),
      saw: (kind, name, object) => {
        if (kind !== "Ingress") return
        if (object === undefined) this.statuses.delete(name)
        else this.statuses.set(name, (object as Json).status)
      },
      log: { info: line, warn: line } as never,
    })
    this.feed = new Feed({
      source,
      store: this.#store,
      came() {},
      touched: () => void this.passes.push(this.#store.snapshot()),
      changed() {},
      signal: controller.signal,
    })
    void this.feed.run()
    this.list(...listed)
  }

  /** Everything that exists of these kinds has been told. */
  list(...kinds: readonly Kind[]): this {
    for (const kind of kinds) this.#channel(kind).send({ changes: [], synced: true })
    return this
  }

  /** Writes objects, which are told in one delta for each kind. As in lists, what they are is not said in them. */
  put(...objects: readonly Json[]): this {
    for (const [kind, ofKind] of Map.groupBy(objects, (object) => object.kind as Kind)) {
      const changes = ofKind.map(({ kind: _, apiVersion: __, ...object }) => {
        this.#version += 1
        const version = `${this.#version}`
        const stored: Json = {
          ...object,
          metadata: { ...(object.metadata as Json), resourceVersion: version },
        }
        this.#objects.set(`${kind} ${nameOf(object)}`, stored)
        return { kind: "set", name: nameOf(object), version, object: stored } as const
      })
      this.#channel(kind).send({ changes, synced: false })
    }
    return this
  }

  remove(kind: Kind, name: string): void {
    this.#objects.delete(`${kind} ${name}`)
    this.#channel(kind).send({ changes: [{ kind: "deleted", name }], synced: false })
  }

  fail(kind: Kind): void {
    this.#failed.get(kind)?.()
  }

  get last(): Snapshot | undefined {
    return this.passes.at(-1)
  }

  #channel(kind: Kind): Channel<Delta> {
    const channel = this.#channels.get(kind)
    if (channel === undefined) throw new Error(kind)
    return channel
  }
}

const kinds = watched.map(({ kind }) => kind)
const cart = withTls(ingress("shop/cart", "cart.test/ → cart:80"), "cart.test=tls")
const other = withTls(ingress("shop/cart", "cart.test/ → cart:80"), "cart.test=new")
const tls = (name: string, text = "certificate") => secret(name, { "tls.crt": text })
const textOf = (snapshot: Snapshot | undefined, name: string) =>
  Buffer.from(snapshot?.secrets.get(name)?.data["tls.crt"] ?? []).toString()

/** Several turns of the event loop: whatever follows without waiting has happened. */
async function rest() {
  for (let count = 0; count < 20; count += 1) await turn()
}

describe("the first pass", () => {
  test("comes when every kind has been listed and everything has been read that is named then", async () => {
    const secrets = Promise.withResolvers<void>()
    const world = new World()
    world.beforeRead = (name) => (name === "shop/tls" ? secrets.promise : Promise.resolve())
    world.put(ingressClass, cart, service("shop/cart"), tls("shop/tls"), tls("shop/other"))
    world.put(settings("ingress/settings", { "ssl-dh-param": "ingress/dh" }), tls("ingress/dh"))
    world.list(...kinds.filter((kind) => kind !== "Secret"))
    await rest()
    world.list("Secret")
    await rest()
    expect(world.passes).toEqual([])
    secrets.resolve()
    await until("a pass", () => world.last)
    expect(world.passes).toHaveLength(1)
    expect([...(world.last?.secrets.keys() ?? [])].sort()).toEqual(["ingress/dh", "shop/tls"])
    expect(world.reads.sort()).toEqual(["ConfigMap ingress/settings", "Secret ingress/dh", "Secret shop/tls"])
  })

  test("waits for no Pods and Nodes that cannot be had", async () => {
    const world = new World(...kinds.filter((kind) => kind !== "Pod" && kind !== "Node"))
    await rest()
    expect(world.passes).toEqual([])
    world.fail("Pod")
    world.fail("Node")
    world.fail("Pod")
    await until("a pass", () => world.last)
  })

  test("waits for what is required, however often it fails", async () => {
    const world = new World(...kinds.filter((kind) => kind !== "Service"))
    world.fail("Service")
    await rest()
    expect(world.passes).toEqual([])
    world.list("Service")
    await until("a pass", () => world.last)
  })

  test("waits for Secrets that cannot be read, longer than later ones do", async () => {
    let isWell = false
    const world = new World()
    world.beforeRead = async () => {
      if (!isWell) throw new ApiFailure("no", { status: 0 })
    }
    world.put(ingressClass, cart, tls("shop/tls")).list(...kinds)
    await until("attempts", () => world.reads.length > 2)
    expect(world.passes).toEqual([])
    isWell = true
    await until("a pass", () => world.last)
    expect(textOf(world.last, "shop/tls")).toBe("certificate")
  })
})

describe("Secrets", () => {
  /** A world that serves the Ingress with its Secret. */
  async function served() {
    const world = new World(...kinds)
    world.put(ingressClass, tls("shop/tls"), tls("shop/new", "new"))
    await rest()
    world.put(cart)
    await until("the Secret", () => world.last?.secrets.has("shop/tls"))
    return world
  }

  test("of a new Ingress are there before the pass that sees it", async () => {
    const world = await served()
    const seen = world.passes.map(({ ingresses, secrets }) => [ingresses.length, secrets.has("shop/tls")])
    expect(seen.filter(([ingresses]) => ingresses === 1)).toEqual([[1, true]])
  })

  test("that an Ingress names instead are there in the same pass, and the former one is dropped", async () => {
    const world = await served()
    world.put(other)
    await until("the other Secret", () => world.last?.secrets.has("shop/new"))
    const seen = world.passes.map(({ ingresses, secrets }) => [
      ingresses[0]?.tls[0]?.secretName,
      ...secrets.keys(),
    ])
    expect(seen).not.toContainEqual(["new", "tls"])
    expect(seen).not.toContainEqual(["new"])
    expect(seen.at(-1)).toEqual(["new", "shop/new"])
    world.put(tls("shop/tls", "later"))
    await rest()
    expect(world.reads.filter((read) => read === "Secret shop/tls")).toHaveLength(1)
  })

  test("that change are read again; those that are gone are gone, and come back", async () => {
    const world = await served()
    world.put(tls("shop/tls", "renewed"))
    await until("the new one", () => textOf(world.last, "shop/tls") === "renewed")
    world.remove("Secret", "shop/tls")
    await until("none", () => world.last?.secrets.size === 0)
    world.put(tls("shop/tls", "again"))
    await until("another one", () => textOf(world.last, "shop/tls") === "again")
  })

  test("that nobody names are not read, and cause no pass", async () => {
    const world = await served()
    const [passes, reads] = [world.passes.length, world.reads.length]
    for (let count = 0; count < 10; count += 1) world.put(tls(`shop/other-${count}`))
    await rest()
    expect([world.passes.length, world.reads.length]).toEqual([passes, reads])
  })

  test("that cannot be read hold passes back for a while only", async () => {
    const world = await served()
    world.beforeRead = async () => {
      throw new ApiFailure("no", { status: 500 })
    }
    world.put(other)
    await until("a pass without it", () => world.last?.ingresses[0]?.tls[0]?.secretName === "new")
    expect(world.last?.secrets.size).toBe(0)
    world.beforeRead = async () => {}
    await until("the Secret", () => world.last?.secrets.has("shop/new"))
    expect(world.lines).toHaveLength(2)
    expect(world.lines.join()).not.toContain("certificate")
  })
})

describe("objects", () => {
  test("that cannot be used are Problems and keep their version before, until they are well or gone", async () => {
    const world = new World(...kinds)
    world.put(ingressClass, cart)
    await until("the Ingress", () => world.last?.ingresses.length === 1)
    world.put({ ...cart, spec: "broken" })
    const problem = await until("a Problem", () => world.last?.problems[0])
    expect([problem.object, problem.message]).toEqual([
      { kind: "Ingress", namespace: "shop", name: "cart" },
      'Field spec has to be a mapping, not the text "broken"',
    ])
    expect(world.last?.ingresses).toHaveLength(1)
    world.put(cart)
    await until("no Problem", () => world.last?.problems.length === 0)
    world.put({ ...cart, spec: "broken" })
    await until("a Problem", () => world.last?.problems[0])
    world.remove("Ingress", "shop/cart")
    await until("nothing", () => world.last?.problems.length === 0 && world.last.ingresses.length === 0)
  })

  test("the status of an Ingress is told apart, and is no reason for a pass", async () => {
    const world = new World(...kinds)
    world.put(ingressClass, cart)
    await until("the Ingress", () => world.last?.ingresses.length === 1)
    const passes = world.passes.length
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } }
    world.put({ ...cart, status })
    await until("the status", () => world.statuses.get("shop/cart"))
    await rest()
    expect([world.statuses.get("shop/cart"), world.passes.length]).toEqual([status, passes])
    world.remove("Ingress", "shop/cart")
    await until("no status", () => !world.statuses.has("shop/cart"))
  })

  test("many of them leave others their turn, and come in one pass", async () => {
    const world = new World(...kinds)
    await until("the first pass", () => world.passes.length === 1)
    world.put(ingressClass)
    await rest()
    const many = Array.from({ length: 10_000 }, (_, index) =>
      ingress(`shop/i${index}`, `h${index}.test/ → cart:80`),
    )
    world.put(...many)
    let turns = 0
    while (world.last?.ingresses.length !== 10_000) {
      await turn()
      turns += 1
    }
    expect(world.passes).toHaveLength(2)
    expect(turns).toBeGreaterThan(2) // one is 20 ms
  })
})
