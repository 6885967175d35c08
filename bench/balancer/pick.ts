// What the filter alone costs, in Node: a pick, a changed record, a posted change. The host does next to nothing (lean-host.ts).

import { type Report, write } from "../support/report.ts"
import { LeanHost } from "./lean-host.ts"

const NAME = "namespace-7-service-42-80"
const ROUNDS = 15
const MIB = 1 << 20

/** Nanoseconds that one of `times` calls takes: the best of some rounds, since other programs only ever add to it. */
function nanoseconds(times: number, call: (i: number) => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = process.hrtime.bigint()
    for (let i = 0; i < times; i++) call(i)
    return Number(process.hrtime.bigint() - start) / times
  })
  return Math.min(...rounds)
}

/** A backend record (docs/wire.md 2) of IPv4 endpoints. */
function record(weights: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(12 + 9 * weights.length)
  bytes[0] = 2
  bytes.writeUInt32LE(weights.length, 4)
  for (const [i, weight] of weights.entries()) {
    const at = 12 + 9 * i
    bytes.writeUInt16LE(8080, at)
    bytes.writeUInt16LE(weight, at + 2)
    bytes[at + 4] = 4
    bytes.writeUInt32BE(0x0a000001 + i, at + 5)
  }
  return bytes
}

const equal = (count: number) => Array<number>(count).fill(1)
const mixed = (count: number) => Array.from({ length: count }, (_, i) => 1 + ((i * 37) % 100))

function hostWith(weights: readonly number[]): LeanHost {
  const host = new LeanHost(NAME)
  host.record = record(weights)
  return host
}

function pick(weights: readonly number[]): number {
  const { exports } = hostWith(weights)
  return nanoseconds(500_000, () => exports.proxy_on_upstream_select(1))
}

/** The record changes before each pick: notice, version, reading, decoding, pick. */
function update(count: number): number {
  const host = hostWith([])
  const records = [record(equal(count)), record(mixed(count))]
  return nanoseconds(Math.ceil(200_000 / count), (i) => {
    host.record = records[i % 2] as Uint8Array
    host.version++
    host.exports.proxy_on_shared_data_changed(1)
    host.exports.proxy_on_upstream_select(1)
  })
}

/** Something else changed: notice and version, but no reading. */
function compare(): number {
  const { exports } = hostWith(equal(10))
  return nanoseconds(200_000, () => {
    exports.proxy_on_shared_data_changed(1)
    exports.proxy_on_upstream_select(1)
  })
}

/** As many items as fit into 1 MiB. */
function body(list: "backends" | "routes", item: (i: number) => object): Buffer {
  const size = JSON.stringify(item(1000)).length + 1
  const set = Array.from({ length: Math.floor((MIB - 1000) / size) }, (_, i) => item(i))
  return Buffer.from(JSON.stringify({ base: null, generation: "g", [list]: { set } }))
}

const backend = (i: number) => ({
  name: `namespace-${i % 100}-service-${i}-80`,
  endpoints: Array.from({ length: 10 }, (_, n) => ({
    address: `10.${i >> 8}.${i & 255}.${n}`,
    port: "8080",
  })),
})
const route = (i: number) => ({
  host: `host-${i}.example.test`,
  routes: [
    {
      path: "/",
      match: "prefix",
      policy: "policy-3f9a0c12",
      backend: `namespace-${i % 100}-service-${i}-80`,
      namespace: `namespace-${i % 100}`,
      ingress_name: `ingress-${i}`,
      service_name: `service-${i}`,
      service_port: "80",
      location_path: "/",
      overrides: { proxy_read_timeout_ms: 60000, client_max_body_size_bytes: 1048576 },
    },
  ],
})

/** Reading and checking a change and packing its writes. */
function change(list: "backends" | "routes", item: (i: number) => object): { bytes: number; micros: number } {
  const host = new LeanHost(NAME)
  host.body = body(list, item)
  const ns = nanoseconds(10, () => {
    host.exports.proxy_on_request_body(2, host.body.length, 1)
    if (host.status !== 201) throw new Error(`The filter answered ${host.status}`)
  })
  return { bytes: host.body.length, micros: ns / 1000 }
}

const ns = (number: number) => `${number.toFixed(0)} ns`
const ofChange = ({ bytes, micros }: { bytes: number; micros: number }) =>
  `${micros.toFixed(0)} µs (${bytes} bytes, ${((micros * 1000) / bytes).toFixed(1)} ns each)`

const report: Report = {
  name: "balancer/pick",
  title: "The filter alone, in Node",
  method: `The release balancer.wasm in Node's V8 with a host that does next to nothing. The best of ${ROUNDS} rounds. A pick includes the two calls
into and out of WebAssembly: select and set_upstream.`,
  columns: ["what", "each"],
  rows: [
    ["pick, 10 endpoints of equal weight", ns(pick(equal(10)))],
    ["pick, 1000 endpoints of equal weight", ns(pick(equal(1000)))],
    ["pick, 10 endpoints of weights 1 to 100", ns(pick(mixed(10)))],
    ["pick, 1000 endpoints of weights 1 to 100", ns(pick(mixed(1000)))],
    ["pick after something else changed", ns(compare())],
    ["pick after the record changed, 10 endpoints", ns(update(10))],
    ["pick after the record changed, 1000 endpoints", ns(update(1000))],
    ["change of 1 MiB, backends of 10 endpoints", ofChange(change("backends", backend))],
    ["change of 1 MiB, hosts of one route", ofChange(change("routes", route))],
  ],
}
write(report)
