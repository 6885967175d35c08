// A port that another program has is said in the status of the listener that asks for it, for as long as that is so.
import { expect, test } from "vitest"
import type { Condition, ObjectStatus } from "../../../controller/model/object-status.ts"
import { CheckedPorts } from "../../../controller/sync/checked-ports.ts"
import { withoutPorts } from "../../../controller/sync/without-ports.ts"
import { type Json, service, slice } from "../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"
import { gateway, gatewayClass, gatewayObject, route } from "../../support/gateway-objects.ts"
import { MemoryPlane } from "../../support/memory-plane.ts"

const http = { port: 8080, protocol: "HTTP" }
const tcp = { port: 5432, protocol: "TCP" }
const more = { spec: { allowedListeners: { namespaces: { from: "All" } } } }
const set = gatewayObject("ListenerSet", "a/set", {
  parentRef: { name: "edge" },
  listeners: [{ ...http, name: "set", hostname: "set.test" }],
})
const objects = [
  ...[gatewayClass, set, gateway("a/edge", [http, { ...http, port: 80, hostname: "*.test" }, tcp], 0, more)],
  ...[route("HTTPRoute", "a/web", "a/edge"), route("TCPRoute", "a/tcp", "a/edge")],
  ...[service("a/web"), slice("a/web", ["10.0.0.1"], 80)],
]

/** What is said while other programs have these ports. */
async function saidWith(inUse: readonly string[], all: readonly Json[] = objects) {
  const options = optionsOf(["--manifests=x", "--gateway-addresses=192.0.2.1"])
  const changes = all.flatMap((object) => changesOf(object, "test"))
  const { model, statuses, listeners, streams } = translationOf(changes, options)
  const plane = new MemoryPlane()
  plane.inUse = new Set(inUse)
  const ports = new CheckedPorts(plane)
  await ports.look(model.fixed)
  const { problems } = ports.leaveOut(model, { listeners, streams })
  return { problems, statuses: withoutPorts(statuses, problems), before: statuses }
}

/** `edge True, l0 False/Pending: …` */
function programmed(statuses: readonly ObjectStatus[], kind: "Gateway" | "ListenerSet"): readonly string[] {
  return statuses.flatMap((it) => {
    if (it.kind !== kind || (it.kind !== "Gateway" && it.kind !== "ListenerSet")) return []
    const { conditions, listeners } = it.status
    return [
      text(it.name, conditions),
      ...listeners.map(({ name, conditions: own }: (typeof listeners)[number]) => text(name, own)),
    ]
  })
}

function text(name: string, conditions: readonly Condition[]): string {
  const { status, reason, message } = conditions.find(({ type }) => type === "Programmed") ?? {}
  return status === "True" ? `${name} True` : `${name} ${status}/${reason}: ${message}`
}

const taken = "another program listens there"

test("listeners of such a port are not programmed, and the others are", async () => {
  const { statuses, problems } = await saidWith(["tcp:8080", "tcp:5432"])
  expect(programmed(statuses, "Gateway")).toEqual([
    "edge True",
    `l0 False/Pending: Cannot listen on HTTP port 8080: ${taken}`,
    "l1 True",
    `l2 False/Pending: Cannot listen on TCP port 5432: ${taken}`,
  ])
  expect(programmed(statuses, "ListenerSet")).toEqual([
    "set False/Pending: No listener can be served; their conditions say why",
    `set False/Pending: Cannot listen on HTTP port 8080: ${taken}`,
  ])
  expect(problems.map(({ object, field }) => `${object.kind} ${field}`)).toEqual([
    "Gateway spec.listeners[2].port",
    "Gateway spec.listeners[0].port",
    "ListenerSet spec.listeners[0].port",
  ])
})

test("a Gateway with no other listener is not programmed, but accepted", async () => {
  const { statuses } = await saidWith(["tcp:8080"], [gatewayClass, gateway("a/edge", [http])])
  const [of] = statuses.flatMap((it) => (it.kind === "Gateway" ? it.status.conditions : []))
  expect(of).toMatchObject({ type: "Accepted", status: "True" })
  expect(programmed(statuses, "Gateway")[0]).toBe(
    "edge False/Pending: No listener can be served; their conditions say why",
  )
})

test("when the port is free again nothing is said", async () => {
  const { statuses, before, problems } = await saidWith([])
  expect(problems).toEqual([])
  expect(statuses).toBe(before)
})

test("so it is with a port that a TCP service has", async () => {
  const problem = { code: "listener-port-taken", message: "taken", field: "spec.listeners[0].port" } as const
  const { before } = await saidWith([])
  const said = (kind: string) =>
    withoutPorts(before, [{ ...problem, object: { kind, namespace: "a", name: "edge" } }])
  expect(programmed(said("Gateway"), "Gateway")[1]).toBe("l0 False/Pending: taken")
  expect(said("Edge").every((it, at) => it === before[at])).toBe(true)
})
