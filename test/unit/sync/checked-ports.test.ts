import { expect, test } from "vitest"
import { defaultSettings } from "../../../controller/core/options/configmap.ts"
import { translate } from "../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../controller/model/facts.ts"
import type { Fixed, Model } from "../../../controller/model/model.ts"
import type { ObjectName } from "../../../controller/model/problem.ts"
import {
  type StreamListener,
  type StreamPort,
  streamName,
} from "../../../controller/model/stream-listener.ts"
import { CheckedPorts } from "../../../controller/sync/checked-ports.ts"
import { options, snapshot } from "../../../harness/objects.ts"
import { MemoryPlane } from "../../support/memory-plane.ts"

const listeners: readonly StreamPort[] = [
  { protocol: "tcp", port: 5432 },
  { protocol: "tcp", port: 6379 },
  { protocol: "udp", port: 53 },
]

const { fixed, live } = translate(snapshot(), noFacts, defaultSettings, options).model

function modelWith(streams: readonly StreamPort[]): Model {
  const records = streams.map((stream) => ({
    name: streamName(stream),
    backend: "b",
    source: `edge/${stream.protocol}`,
  }))
  return { fixed: { ...fixed, streams }, live: { ...live, streams: records } }
}

const asking = (streams: readonly (StreamListener & { source: ObjectName; field: string })[]) => ({
  listeners: [],
  streams: streams.map((stream) => ({ ...stream, names: [], acceptsProxyProtocol: false, settings: {} })),
})

/** The ConfigMap of each protocol, whose keys have zeros in front. */
const configMaps = (streams: readonly StreamPort[]) =>
  asking(
    streams.map(({ protocol, port }) => ({
      ...{ protocol, port, field: `data["0${port}"]` },
      source: { kind: "ConfigMap", namespace: "edge", name: protocol },
    })),
  )

const names = ({ fixed: { streams = [] } }: Model) => streams.map(streamName)

async function served(ports: CheckedPorts, streams = listeners) {
  await ports.look(modelWith(streams).fixed)
  const { model, problems } = ports.leaveOut(modelWith(streams), configMaps(streams))
  return { names: names(model), problems, records: model.live.streams.length }
}

test("a port that somebody else has is left out, with a Problem of its ConfigMap, and its record stays", async () => {
  const plane = new MemoryPlane()
  plane.inUse = new Set(["tcp:5432"])
  const ports = new CheckedPorts(plane)
  expect(await served(ports)).toEqual({
    names: ["tcp:6379", "udp:53"],
    records: 3,
    problems: [
      {
        object: { kind: "ConfigMap", namespace: "edge", name: "tcp" },
        field: 'data["05432"]',
        code: "stream-port-taken",
        message: "Cannot listen on TCP port 5432: another program listens there",
      },
    ],
  })
  expect(ports.areAnyInUse).toBe(true)
  plane.inUse = new Set()
  expect((await served(ports)).names).toEqual(["tcp:5432", "tcp:6379", "udp:53"])
  expect(ports.areAnyInUse).toBe(false)
})

test("of a port with listeners by address each object that wants one has a Problem", async () => {
  const plane = new MemoryPlane()
  plane.inUse = new Set(["tcp:9443"])
  const ports = new CheckedPorts(plane)
  const streams: readonly StreamPort[] = [{ protocol: "tcp", port: 9443, isByAddress: true }]
  const gateway = { kind: "Gateway", namespace: "edge", name: "a" }
  const wanting = { protocol: "tcp", port: 9443, source: gateway, field: "spec.listeners[0]" } as const
  const configMap = { kind: "ConfigMap", namespace: "edge", name: "tcp" }
  const model = modelWith(streams)
  await ports.look(model.fixed)
  const { problems } = ports.leaveOut(
    model,
    asking([
      { ...wanting, address: "10.0.0.1" },
      { ...wanting, address: "2001:db8::1" },
      { ...wanting, source: configMap, field: 'data["9443"]' },
      { ...wanting, port: 1443, source: { ...configMap, name: "others" } },
      { ...wanting, protocol: "udp", source: { ...configMap, name: "udp" } },
    ]),
  )
  expect(problems.map(({ object, field }) => [object.kind, object.name, field])).toEqual([
    ["Gateway", "a", "spec.listeners[0]"],
    ["ConfigMap", "tcp", 'data["9443"]'],
  ])
})

test("ports that nginx listens on already are its own", async () => {
  const plane = new MemoryPlane()
  plane.runWith(modelWith(listeners.slice(0, 1)).fixed)
  plane.inUse = new Set(["tcp:5432", "udp:53"])
  expect((await served(new CheckedPorts(plane))).names).toEqual(["tcp:5432", "tcp:6379"])
})

test("those of the last configuration are its own while it is not known what runs, until it fails", async () => {
  const plane = new MemoryPlane()
  plane.read = { ...plane.read, lastFixed: async () => modelWith(listeners).fixed }
  plane.inUse = new Set(["tcp:5432"])
  const ports = new CheckedPorts(plane)
  expect((await served(ports)).names).toContain("tcp:5432")
  ports.loaded(false)
  expect((await served(ports)).names).not.toContain("tcp:5432")
})

test("what nginx refuses is left out until it is away from the ConfigMap", async () => {
  const ports = new CheckedPorts(new MemoryPlane())
  const check = async ({ streams = [] }: Fixed) =>
    streams.some(({ port }) => port === 53) ? { reason: "permission denied" } : ("taken" as const)
  expect(await ports.refused(modelWith(listeners).fixed, check)).toBe(true)
  expect((await served(ports)).names).toEqual(["tcp:5432", "tcp:6379"])
  expect((await served(ports)).problems.map(({ message }) => message)).toEqual([
    "Cannot listen on UDP port 53: permission denied",
  ])
  await served(ports, listeners.slice(0, 2))
  expect((await served(ports)).names).toContain("udp:53")
})

test("ports are not to blame for what nginx refuses without them, too", async () => {
  const ports = new CheckedPorts(new MemoryPlane())
  expect(await ports.refused(modelWith(listeners).fixed, async () => ({ reason: "bad" }))).toBe(false)
  expect(await ports.refused(modelWith([]).fixed, async () => "taken")).toBe(false)
})

test("a listener's port that somebody else has is left out, with a Problem of who asks for it, but the ports of all are nginx's own", async () => {
  const { httpPort } = fixed.http.ports
  const asking = { source: { kind: "Edge", namespace: "demo", name: "edge" }, field: "spec.listeners[0]" }
  const declared = [httpPort, 9000].map((port) => ({ scheme: "http" as const, port, ...asking }))
  const wanted = declared.map(({ scheme, port }) => ({ scheme, port }))
  const plane = new MemoryPlane()
  plane.inUse = new Set(["tcp:9000", `tcp:${httpPort}`])
  const ports = new CheckedPorts(plane)
  const model = { fixed: { ...fixed, listeners: wanted }, live }
  await ports.look(model.fixed)
  expect(ports.leaveOut(model, { listeners: declared, streams: [] })).toEqual({
    model: { fixed: { ...fixed, listeners: wanted.slice(0, 1) }, live },
    problems: [
      {
        object: asking.source,
        field: asking.field,
        code: "listener-port-taken",
        message: "Cannot listen on HTTP port 9000: another program listens there",
      },
    ],
  })
  const check = async ({ listeners = [] }: Fixed) =>
    listeners.length > 1 ? { reason: "permission denied" } : ("taken" as const)
  plane.inUse = new Set()
  await ports.look(model.fixed)
  expect(await ports.refused(model.fixed, check)).toBe(true)
  expect(
    ports.leaveOut(model, { listeners: declared, streams: [] }).problems.map(({ message }) => message),
  ).toEqual(["Cannot listen on HTTP port 9000: permission denied"])
})
