import { expect, test } from "vitest"
import {
  comparePorts,
  parseStreamName,
  portsOf,
  sourceObject,
  streamName,
  streamSource,
} from "../../../controller/model/stream-listener.ts"

test("a listener with an address has a name of its own", () => {
  expect(streamName({ protocol: "tcp", port: 443 })).toBe("tcp:443")
  expect(streamName({ protocol: "udp", address: "10.0.0.1", port: 53 })).toBe("udp:10.0.0.1:53")
  expect(streamName({ protocol: "tcp", address: "2001:db8::1", port: 443 })).toBe("tcp:[2001:db8::1]:443")
})

test("nginx listens on each port once, by address if one of its listeners has one", () => {
  const tcp = { protocol: "tcp", port: 443 } as const
  const udp = { protocol: "udp", port: 443 } as const
  const at = (address: string) => ({ ...tcp, address })
  expect(portsOf([at("10.0.0.1"), at("10.0.0.2"), tcp, udp])).toEqual([{ ...tcp, isByAddress: true }, udp])
  expect(portsOf([tcp, at("10.0.0.1")])).toEqual([{ ...tcp, isByAddress: true }])
  expect(portsOf([tcp])).toEqual([tcp])
})

test("the object that wants a stream is found again by the text in its record", () => {
  for (const kind of ["ConfigMap", "Gateway"]) {
    const object = { kind, namespace: "edge", name: "tcp" }
    expect(sourceObject(streamSource(object))).toEqual(object)
  }
  expect(streamSource({ kind: "ConfigMap", namespace: "edge", name: "tcp" })).toBe("edge/tcp")
})

test.each([
  "tcp:5432",
  "udp:53",
  "tcp:192.0.2.1:5432",
  "udp:[2001:db8::1]:53",
])("%s names a listener, and that one is named so", (name) => {
  expect(streamName(parseStreamName(name))).toBe(name)
})

test("TCP comes first, then the lower port, then all addresses", () => {
  const sorted = ["tcp:53", "tcp:443", "tcp:443 of 192.0.2.1", "udp:53"]
  const named = sorted.map((text) => {
    const [name = "", address] = text.split(" of ")
    return address === undefined ? name : name.replace(":", `:${address}:`)
  })
  const listeners = named.toReversed().map(parseStreamName).sort(comparePorts)
  expect(listeners.map(streamName)).toEqual(named)
})
