import { describe, expect, test } from "vitest"
import { parseResolvConf } from "../../../../controller/facts/names/resolv-conf.ts"

const pod = `# as kubelet writes it
search shop.svc.cluster.local svc.cluster.local cluster.local.
nameserver 10.96.0.10
options ndots:5 timeout:3 attempts:4
`

test("what a pod has", () => {
  expect(parseResolvConf(pod)).toEqual({
    servers: ["10.96.0.10"],
    search: ["shop.svc.cluster.local", "svc.cluster.local", "cluster.local"],
    ndots: 5,
    timeoutMs: 3000,
    attempts: 4,
  })
})

test("an empty file means a server on this machine", () => {
  expect(parseResolvConf("")).toEqual({
    servers: ["127.0.0.1"],
    search: [],
    ndots: 1,
    timeoutMs: 2000,
    attempts: 2,
  })
})

describe("servers", () => {
  const servers = (text: string) => parseResolvConf(text).servers

  test("are all that are named, in their order, with a port or without", () => {
    const text = ["::1", "10.0.0.1", "10.0.0.2:5353", "[fd00::1]:5353"].map(
      (server) => `nameserver ${server}`,
    )
    expect(servers(text.join("\n"))).toEqual(["::1", "10.0.0.1", "10.0.0.2:5353", "[fd00::1]:5353"])
  })

  test("that are no addresses are passed over", () => {
    const text = ["dns.test", "", "10.0.0.256", "10.0.0.1:65536", "[10.0.0.1]:53", "10.0.0.9"]
    expect(servers(text.map((server) => `nameserver ${server}`).join("\n"))).toEqual(["10.0.0.9"])
  })
})

test("the last of search and domain counts", () => {
  expect(parseResolvConf("search a.test b.test\ndomain c.test").search).toEqual(["c.test"])
  expect(parseResolvConf("domain c.test\nsearch a.test b.test").search).toEqual(["a.test", "b.test"])
})

test("numbers keep to the limits of the C library, and what is none has no effect", () => {
  const { ndots, timeoutMs, attempts } = parseResolvConf(
    "options ndots:99 timeout:99\noptions attempts:0 rotate",
  )
  expect([ndots, timeoutMs, attempts]).toEqual([15, 30_000, 1])
  expect(parseResolvConf("options ndots:x timeout: attempts:-1 ndots")).toEqual(parseResolvConf(""))
})
