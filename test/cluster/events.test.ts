// What users find with `kubectl describe`: Events of a real API server, written by wick with the rights of deploy/static/rbac.yaml.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../harness/cluster/client.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  withTls,
} from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"

let server: ApiServer
let wick: Wick
let namespace: string

beforeAll(async () => {
  server = await startApiServer()
  namespace = await server.namespace("events")
  await server.admin.apply(ingressClass, cart(), ingress(`${namespace}/early`, "early.test/ → cart:80"))
  wick = await startWickIn(server, {
    flags: ["--configmap=wick/settings", "--sync-rate-limit=100"],
  })
})
afterAll(async () => {
  await wick.stop()
  await server.stop()
})

const cart = () => service(`${namespace}/cart`)

/** Of the object of this name, found by its uid, as `count × type reason: message`. */
async function toldOf(kind: string, name: string): Promise<readonly string[]> {
  const object = await server.admin.get(kind, name)
  const [space = ""] = name.split("/")
  const fieldSelector = `involvedObject.uid=${object?.metadata.uid},involvedObject.kind=${kind}`
  const events = await server.admin.list("Event", space, { fieldSelector })
  return events.map(printed).sort()
}

function printed({ count, type, reason, message }: ApiObject): string {
  return `${count} × ${type} ${reason}: ${message}`
}

/** Waits for one that begins like this. */
function untilTold(kind: string, name: string, beginning: string): Promise<string> {
  return until(`"${beginning}" of ${kind} ${name}`, async () =>
    (await toldOf(kind, name)).find((line) => line.startsWith(beginning)),
  )
}

describe("of an Ingress tell", () => {
  test("that it was there at the start", async () => {
    await untilTold("Ingress", `${namespace}/early`, "1 × Normal Sync: Scheduled for sync")
  })

  test("that it is new, and then that it is changed", async () => {
    const name = `${namespace}/new`
    await server.admin.apply(ingress(name, "new.test/ → cart:80"))
    await untilTold("Ingress", name, "1 × Normal Sync: Scheduled for sync")
    await server.admin.apply(ingress(name, "newer.test/ → cart:80"))
    await untilTold("Ingress", name, "2 × Normal Sync: Scheduled for sync")
  })

  test("that it is ours since its class is", async () => {
    const name = `${namespace}/classed`
    const { spec, ...object } = ingress(name, "classed.test/ → cart:80") as Json & { spec: object }
    await server.admin.apply({ ...object, spec: { ...spec, ingressClassName: "late" } })
    await server.admin.apply({ ...ingressClass, metadata: { name: "late" } })
    await untilTold("Ingress", name, "1 × Normal Sync: Scheduled for sync")
  })

  test("what is wrong with its annotations, and with other parts", async () => {
    const name = `${namespace}/wrong`
    const annotations = { "proxy-read-timeout": "soon" }
    await server.admin.apply(ingress(name, "wrong.test/ → gone:80", annotations))
    expect(await untilTold("Ingress", name, "1 × Warning AnnotationParsingFailed:")).toContain('"soon"')
    expect(await untilTold("Ingress", name, "1 × Warning BackendUnusable:")).toContain("gone")
  })

  test("nothing of a Secret's content, which the Secret is told of by name", async () => {
    const content = "no certificate and no key"
    await server.admin.apply(
      secret(`${namespace}/tls`, { "tls.crt": content, "tls.key": content }),
      withTls(ingress(`${namespace}/secure`, "secure.test/ → cart:80"), "secure.test=tls"),
    )
    await until("a Warning on the Secret", async () => {
      const told = await toldOf("Secret", `${namespace}/tls`)
      return told.some((line) => line.includes("× Warning"))
    })
    const all = await server.admin.list("Event", namespace)
    expect(JSON.stringify(all)).not.toContain(content)
    expect(JSON.stringify(all)).not.toContain(Buffer.from(content).toString("base64"))
  })
})

describe("of the ConfigMap and the Pod tell", () => {
  test("that it is new and changed, and that nginx was reloaded", async () => {
    await server.admin.apply(settings("wick/settings", { "error-log-level": "warn" }))
    await untilTold("ConfigMap", "wick/settings", "1 × Normal CREATE: ConfigMap wick/settings")
    await untilTold("Pod", "wick/wick-0", "2 × Normal RELOAD:")
    await server.admin.apply(settings("wick/settings", { "error-log-level": "info" }))
    await untilTold("ConfigMap", "wick/settings", "1 × Normal UPDATE: ConfigMap wick/settings")
    await untilTold("Pod", "wick/wick-0", "3 × Normal RELOAD:")
  })

  test("404: what nginx refuses; the old configuration serves", async () => {
    await server.admin.apply(
      settings("wick/settings", { "error-log-level": "info", "log-format-upstream": "$no_such_variable" }),
    )
    const told = await untilTold("Pod", "wick/wick-0", "1 × Warning RELOAD:")
    expect(told).toContain("no_such_variable")
    expect(await untilTold("ConfigMap", "wick/settings", "1 × Warning ValueRefused:")).toContain(
      "no_such_variable",
    )
    expect(wick.conf()).not.toContain("no_such_variable")
    expect((await wick.get("/healthz")).status).toBe(200)
    expect(await wick.metric("nginx_ingress_controller_errors")).toBe(1)
  })
})

describe("several replicas", () => {
  beforeAll(() => server.admin.apply(settings("wick/settings", { "error-log-level": "info" })))

  /** Waits until each of them serves the host. */
  async function untilServed(host: string, ...wicks: readonly Wick[]): Promise<void> {
    for (const each of wicks) {
      const shown = () => each.control("GET", `/configuration/routes?host=${host}`)
      await until(`${host} to be served`, async () => (await shown()).status === 200)
    }
  }

  test("tell once of an Ingress, and each of its own reloads", async () => {
    await using second = await startWickIn(server, { pod: "wick/wick-1" })
    await untilTold("Pod", "wick/wick-1", "1 × Normal RELOAD:")
    const name = `${namespace}/shared`
    await server.admin.apply(ingress(name, "shared.test/ → cart:80", { "proxy-read-timeout": "late" }))
    await untilTold("Ingress", name, "1 × Warning AnnotationParsingFailed:")
    await untilTold("Ingress", name, "1 × Normal Sync:")
    await untilServed("shared.test", wick, second)
    expect(await toldOf("Ingress", name)).toEqual([
      "1 × Normal Sync: Scheduled for sync",
      expect.stringContaining("1 × Warning AnnotationParsingFailed"),
    ])
  })

  test("with --disable-leader-election tell everything, and with --disable-sync-events nothing but reloads", async () => {
    const start = (pod: string, ...flags: readonly string[]) =>
      startWickIn(server, { pod, flags: ["--disable-leader-election", ...flags] })
    await using loud = await start("wick/wick-loud")
    await using quiet = await start("wick/wick-quiet", "--disable-sync-events")
    await untilTold("Pod", "wick/wick-quiet", "1 × Normal RELOAD:")
    const name = `${namespace}/seen`
    await server.admin.apply(ingress(name, "seen.test/ → gone:80"))
    await untilServed("seen.test", quiet, loud)
    const tellers = async () => {
      const events = await server.admin.list("Event", namespace, {
        fieldSelector: "involvedObject.name=seen",
      })
      return new Set(events.map(({ source }) => source.host))
    }
    await until("the leader and who has no leader to tell", async () => (await tellers()).size === 2)
    expect(await tellers()).toEqual(new Set(["wick-0", "wick-loud"]))
  })
})
