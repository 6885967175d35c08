// A record that names an unknown location, or that cannot be read: 503 and a line in the log, at most one in ten seconds.
import { expect, test } from "vitest"
import { CRITICAL } from "../../../harness/ingress/field.ts"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { recordOf } from "../../../harness/ingress/records.ts"
import { until } from "../../../harness/until.ts"
import { placesIn, withField } from "../../../wire/newer.ts"

const lines = (ingress: Ingress) =>
  ingress.nginx
    .errorLog()
    .split("\n")
    .filter((line) => line.includes("Cannot serve"))

test("an unknown location", async () => {
  await using ingress = await startIngress()
  await ingress.route("a.test", [
    { path: "/", location: "location-9" },
    { path: "/good", backend: "b", namespace: "n", ingress_name: "i" },
  ])
  for (let n = 0; n < 20; n += 1) expect(await ingress.ask("a.test", "/%0Apath")).toBe("503")
  expect(await ingress.ask("a.test", "/good")).toBe("n/i b")
  const said =
    'Cannot serve host "a.test", path "/\\npath": location "location-9" is not in the configuration'
  expect(lines(ingress)).toEqual([expect.stringContaining(said)])
})

test("a record of a version to come", async () => {
  await using ingress = await startIngress()
  await ingress.write("main/a.test", Buffer.of(4, 0, 0, 0))
  expect(await ingress.ask("a.test")).toBe("503")
  const said = 'Cannot serve host "a.test", path "/": the record of its host: its version 4 is unknown'
  expect(lines(ingress)).toEqual([expect.stringContaining(said)])
  await ingress.route("a.test", [{ backend: "b" }])
  expect(await ingress.ask("a.test")).toBe("/ b")
})

test("a critical field of a time to come closes its route, and no other one", async () => {
  await using ingress = await startIngress({ locations: answering("plain", "$uri $proxy_upstream_name") })
  const routes = [{ path: "/open", backend: "open" }, { path: "/", backend: "guarded" }, { path: "/guarded" }]
  const record = recordOf([...routes, { path: "/last", backend: "last", rewrite: "/other" }])
  const last = placesIn("host", record) - 1
  await ingress.write("main/a.test", withField("host", record, last, 127, Buffer.from("newer")))
  expect(await ingress.ask("a.test", "/last/x")).toBe("/other last")
  await ingress.write("main/a.test", withField("host", record, last, 127 + CRITICAL, Buffer.from("newer")))
  expect(await ingress.ask("a.test", "/last/x")).toBe("503")
  expect(await ingress.ask("a.test", "/open")).toBe("/open open")
  const said = 'Cannot serve host "a.test", path "/last/x": its route: its field 127 is unknown and critical'
  expect(lines(ingress)).toEqual([expect.stringContaining(said)])
})

test("a critical field of the host itself closes all of it", async () => {
  await using ingress = await startIngress()
  const record = withField("host", recordOf([{ backend: "b" }]), 0, 127 + CRITICAL, Buffer.from("newer"))
  await ingress.write("main/a.test", record)
  expect(await ingress.ask("a.test")).toBe("503")
  const said = 'path "/": the record of its host: its field 127 is unknown and critical'
  expect(lines(ingress)).toEqual([expect.stringContaining(said)])
})

test("another server block's location is not this one's", async () => {
  await using ingress = await startIngress({
    http: `server { listen unix:other.sock; ${answering("elsewhere", "elsewhere")} location / { return 204; } }`,
  })
  await ingress.route("a.test", [{ location: "elsewhere" }])
  expect(await ingress.ask("a.test")).toBe("503")
  await until("the log", () => lines(ingress).length === 1)
})

test("server blocks have routes of their own", async () => {
  await using ingress = await startIngress({
    location: "",
    locations: `${answering("plain", "main $proxy_upstream_name")}
      location /other/ { client_max_body_size 0; ingress_route routes server=other; }`,
  })
  await ingress.route("a.test", [{ backend: "m" }])
  await ingress.route("a.test", [{ path: "/other", backend: "o" }], "other")
  expect(await ingress.ask("a.test", "/")).toBe("main m")
  expect(await ingress.ask("a.test", "/other/x")).toBe("main o")
})

const fieldOf = (id: number, value: Uint8Array) => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(id + value.length * 256)
  return Buffer.concat([head, value])
}
const hostWith = (...fields: readonly Uint8Array[]) => {
  const body = Buffer.concat(fields)
  return Buffer.concat([fieldOf(3, body).subarray(0, 4), body])
}
const closed = () => hostWith(fieldOf(8 + CRITICAL, Buffer.of(1)))
const aliasOf = (host: string) => hostWith(fieldOf(9 + CRITICAL, Buffer.from(host)))

test("a host that is closed, whatever its wildcard has", async () => {
  await using ingress = await startIngress()
  await ingress.route("*.test", [{ backend: "open" }])
  await ingress.write("main/a.test", closed())
  expect(await ingress.ask("a.test")).toBe("503")
  expect(await ingress.ask("b.test")).toBe("/ open")
  const said = 'path "/": the record of its host: it is closed, for what it is to say has no room'
  expect(lines(ingress)).toEqual([expect.stringContaining(said)])
  await ingress.route("a.test", [{ backend: "b" }])
  expect(await ingress.ask("a.test")).toBe("/ b")
})

test("an alias has the routes of its host, is closed with it, and leads nowhere without it", async () => {
  await using ingress = await startIngress()
  await ingress.write("main/alias.test", aliasOf("a.test"))
  await ingress.write("main/second.test", aliasOf("alias.test"))
  const statuses = async () => [await ingress.ask("alias.test"), await ingress.ask("second.test")]
  expect(await statuses()).toEqual(["503", "503"])
  for (const backend of ["one", "two"]) {
    await ingress.route("a.test", [{ backend }])
    expect(await statuses()).toEqual([`/ ${backend}`, "503"])
  }
  await ingress.write("main/a.test", closed())
  expect(await statuses()).toEqual(["503", "503"])
})
