import { expect, test } from "vitest"
import { endpointsOf, findPort } from "../../../../../controller/core/assemble/backends/endpoints.ts"
import type { EndpointSlice } from "../../../../../controller/model/objects/endpoint-slice.ts"
import type { ServicePort } from "../../../../../controller/model/objects/service.ts"
import { service, slice } from "../../../../../harness/objects.ts"

const cart = service("shop/cart", "80")
const rules = { allowLoopback: false, ownPorts: new Set([10254]), ownAddresses: new Set<string>() }

function port(text: string): ServicePort {
  const [first] = service("shop/cart", text).ports
  if (first === undefined) throw new Error("no port")
  return first
}

function endpoints(asked: ServicePort, ...slices: readonly EndpointSlice[]): string[] {
  return endpointsOf(cart, asked, slices, rules, undefined).endpoints.map(
    ({ address, port: number }) => `${address} ${number}`,
  )
}

test("a Service port is found by number, targetPort or name; the first that fits", () => {
  const many = service("shop/cart", "http:80>8080", "admin:8080>web", "web:81>9090")
  const names = ["80", "8080", "http", "admin", "web", "9090", "82", ""].map(
    (text) => findPort(many, text)?.name,
  )
  expect(names).toEqual(["http", "http", "http", "admin", "admin", "web", undefined, undefined])
})

test("a named port takes the slice's port of that name", () => {
  const both = slice("shop/cart", ["10.0.0.1"], "http:8080", "admin:9090")
  expect(endpoints(port("http:80>web"), both)).toEqual(["10.0.0.1 8080"])
})

test("311: another name falls back to a numeric targetPort, and to nothing when that is a name", () => {
  const other = slice("shop/cart", ["10.0.0.1"], "web:8080")
  expect(endpoints(port("http:80>9090"), other)).toEqual(["10.0.0.1 9090"])
  expect(endpoints(port("http:80>web"), other)).toEqual([])
})

test("an unnamed port takes every port of the slice", () => {
  expect(endpoints(port("80"), slice("shop/cart", ["10.0.0.1"], "8080", "a:8081"))).toEqual([
    "10.0.0.1 8080",
    "10.0.0.1 8081",
  ])
})

test("a slice without ports is used with a numeric targetPort only", () => {
  expect(endpoints(port("80>8080"), slice("shop/cart", ["10.0.0.1"]))).toEqual(["10.0.0.1 8080"])
  expect(endpoints(port("80>web"), slice("shop/cart", ["10.0.0.1"]))).toEqual([])
})

test("312: ports of another protocol do not count", () => {
  const udp = {
    ...slice("shop/cart", ["10.0.0.1"]),
    ports: [{ name: "", port: 53, protocol: "UDP" as const }],
  }
  expect(endpoints(port("53"), udp)).toEqual([])
})

test("endpoints that are not ready are left out, all addresses of the others are used", () => {
  const mixed: EndpointSlice = {
    ...slice("shop/cart", [], "8080"),
    endpoints: [
      { addresses: ["10.0.0.1", "10.0.0.3"], ready: true, zones: [] },
      { addresses: ["10.0.0.2"], ready: false, zones: [] },
    ],
  }
  expect(endpoints(port("80"), mixed)).toEqual(["10.0.0.1 8080", "10.0.0.3 8080"])
})

test("314: slices of both families add up, each endpoint once, in one order", () => {
  const four = slice("shop/cart", ["10.0.0.2", "10.0.0.1"], "8080")
  const six: EndpointSlice = {
    ...slice("shop/cart", ["2001:DB8::1", "2001:db8:0::1"], "8080"),
    addressType: "IPv6",
  }
  const wanted = ["10.0.0.1 8080", "10.0.0.2 8080", "2001:db8::1 8080"]
  expect(endpoints(port("80"), four, six, four)).toEqual(wanted)
  expect(endpoints(port("80"), six, four)).toEqual(wanted)
})

test("an address that may not be used is a Problem, the others stay", () => {
  const { endpoints: usable, problems } = endpointsOf(
    cart,
    port("80"),
    [slice("shop/cart", ["10.0.0.1", "127.0.0.1"], "8080")],
    rules,
    undefined,
  )
  expect(usable).toEqual([{ address: "10.0.0.1", port: 8080 }])
  expect(problems).toEqual([
    {
      object: { kind: "EndpointSlice", namespace: "shop", name: "cart-slice" },
      field: "endpoints[1].addresses[0]",
      code: "address-refused",
      message: 'Cannot use endpoint "127.0.0.1": loopback addresses are not allowed',
    },
  ])
})

test("DNS names as endpoints are a Problem", () => {
  const names: EndpointSlice = { ...slice("shop/cart", ["cart.example"], "8080"), addressType: "FQDN" }
  expect(endpointsOf(cart, port("80"), [names], rules, undefined)).toEqual({
    endpoints: [],
    problems: [expect.objectContaining({ code: "address-type", field: "addressType" })],
  })
})

test("a port of a stream is the first of its protocol with that number, or that name, whatever its targetPort is", () => {
  const { ports, ...rest } = service("shop/dns", "tcp:53>5353", "dns:53>5454", "web:5353>80")
  const both = {
    ...rest,
    ports: ports.map((it) => (it.name === "dns" ? { ...it, protocol: "UDP" as const } : it)),
  }
  const found = (text: string, protocol: "TCP" | "UDP") => findPort(both, text, protocol)?.name
  expect(["53", "tcp", "dns", "5353", "80", "053", ""].map((text) => found(text, "TCP"))).toEqual([
    "tcp",
    "tcp",
    undefined,
    "web",
    undefined,
    "tcp",
    undefined,
  ])
  expect(["53", "dns", "tcp", "5353", "5454"].map((text) => found(text, "UDP"))).toEqual([
    "dns",
    "dns",
    undefined,
    undefined,
    undefined,
  ])
})

test("of UDP the slice's ports of UDP count", () => {
  const both = {
    ...slice("shop/cart", ["10.0.0.1"]),
    ports: [
      { name: "", port: 53, protocol: "UDP" as const },
      { name: "", port: 54, protocol: "TCP" as const },
    ],
  }
  const { endpoints: found } = endpointsOf(cart, port("53"), [both], rules, undefined, false, "UDP")
  expect(found).toEqual([{ address: "10.0.0.1", port: 53 }])
})
