/** Records of hosts that something else wrote: shown if they are whole, refused if they are not. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { serverOf } from "../../controller/model/listener.ts"
import { Worker } from "./host.ts"

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

const field = (id: number, value: Uint8Array) => Buffer.concat([u32(id + value.length * 256), value])
const own = [field(1, Buffer.from("ca")), field(2, Buffer.of(3)), field(5, Buffer.of(1))]
const recordOf = (own: Uint8Array, length = own.length) =>
  Buffer.concat([u32(3 + (length % 2 ** 24) * 256), own])

const damaged = { name: "main/a.test", error: "This filter cannot read the record" }

/** Written by another process; what this one makes of it. */
function shownBy(worker: Worker, record: Uint8Array): object {
  worker.zones.write([{ key: "routes/main/a.test", value: record, cas: 0 }])
  return JSON.parse(worker.get("/configuration/routes?host=a.test").body)[0]
}

test("a host's own fields are shown, those of a time to come passed over", () => {
  const fields = Buffer.concat([...own, field(100, Buffer.from("new"))])
  expect(shownBy(new Worker(), recordOf(fields))).toEqual({
    server: "main",
    host: "a.test",
    client_certificate: { authority: "ca", verify: "optional_no_ca", pass_certificate: true },
    routes: [],
  })
})

test("a way to verify that there is not is damage", () => {
  const worker = new Worker()
  for (const verify of [0, 6, 255]) {
    expect(shownBy(worker, recordOf(field(2, Buffer.of(verify))))).toEqual(damaged)
  }
})

test("a record that is cut anywhere, or that is said to be longer, is refused", () => {
  const worker = new Worker()
  const whole = recordOf(Buffer.concat(own))
  for (let length = 1; length < whole.length; length++) {
    expect(shownBy(worker, whole.subarray(0, length))).toEqual(damaged)
  }
  expect(shownBy(worker, recordOf(Buffer.concat(own), 2 ** 24 - 1))).toEqual(damaged)
})

test("any bytes of a host's own fields are shown as JSON or refused", () => {
  const worker = new Worker()
  const value = fc.uint8Array({ maxLength: 12 })
  const fields = fc.array(fc.tuple(fc.nat({ max: 7 }), value), { maxLength: 6 })
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 })
  fc.assert(
    fc.property(fields, damage, fc.option(fc.nat({ max: 80 })), (fields, damages, length) => {
      const bytes = Buffer.concat(fields.map(([id, value]) => field(id, value)))
      for (const [at, byte] of damages) if (bytes.length > 0) bytes[at % bytes.length] = byte
      const shown = shownBy(worker, recordOf(bytes, length ?? bytes.length))
      if ("error" in shown) expect(shown).toEqual(damaged)
      else expect(shown).toMatchObject({ server: "main", host: "a.test", routes: expect.any(Array) })
    }),
    { numRuns: 2000 },
  )
})

test.each(["", "A.test", "*.*", 7])("an alias of %s is refused", (of) => {
  const set = [{ host: "b.test", alias_of: of, routes: [] }]
  const change = { base: null, generation: "g-1", routes: { set } }
  expect(new Worker().post("/configuration/changes", change)).toMatchObject({ status: 400 })
})

test("hosts of a listener lie under its one name, beside those of server blocks", () => {
  const worker = new Worker()
  const servers = [
    serverOf({ scheme: "http", address: "10.0.0.1", port: 80 }),
    serverOf({ scheme: "http", port: 80 }),
    serverOf({ scheme: "https", address: "2001:db8::1", port: 443 }),
    "https:[::]:65535",
    "http-80",
    "https",
  ]
  const set = servers.map((server) => ({ server, host: "_", routes: [] }))
  const change = { base: null, generation: "g", routes: { set } }
  expect(worker.post("/configuration/changes", change)).toMatchObject({ status: 201 })
  for (const server of servers) {
    expect(worker.zones.get(`routes/${server}/_`)).toBeDefined()
    const path = `/configuration/routes?host=_&server=${encodeURIComponent(server)}`
    expect(JSON.parse(worker.get(path).body)).toEqual([{ server, host: "_", routes: [] }])
  }
  const remove = servers.map((server) => ({ server, host: "_" }))
  worker.post("/configuration/changes", { base: "g", generation: "h", routes: { remove } })
  expect(JSON.parse(worker.get("/configuration/names").body).routes).toEqual([])
})
