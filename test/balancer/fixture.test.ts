/** The example of test/fixtures/wire goes through the filter: posted, as records in the zones, and shown again. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const folder = join(root, "test/fixtures/wire")
const text = (name: string) => readFileSync(join(folder, name), "utf8")
const json = (name: string) => JSON.parse(text(`${name}.json`))
const record = (name: string) => Buffer.from(text(name).replace(/\s/g, ""), "hex")

const RECORDS = {
  "backends/shop-cart-80": "backend-shop-cart-80",
  "backends/shop-empty-http": "backend-shop-empty-http",
  "backends/shop-all-80": "backend-shop-all-80",
  "backends/shop-custom-80": "backend-shop-custom-80",
  "routes/main/shop.test": "host-shop.test",
  "routes/main/everything.test": "host-everything.test",
  "routes/main/*.shop.test": "host-wildcard",
  "routes/other/_": "host-other-server",
  "routes/main/numbers.test": "host-numbers.test",
  "routes/main/parts.test": "host-parts.test",
  "routes/main/closed.test": "host-closed.test",
  "routes/main/alias.test": "host-alias.test",
  "routes/main/script.test": "host-script.test",
  "routes/:parts/9f3c_A-z0": "route-part-everything",
  "routes/:addresses/2b4e_A-z0": "address-list-everything",
  "routes/:users/77aa_A-z0": "user-list-everything",
  "certificates/pairs/9f3c_A-z0": "pair-everything",
  "certificates/pairs/p": "pair-small",
  "certificates/staples/9f3c_A-z0": "staple-everything",
  "certificates/authorities/5d1e": "authority-everything",
  "certificates/authorities/a": "authority-small",
  "certificates/hosts/*.shop.test": "tls-host-everything",
  "certificates/hosts/:default": "tls-host-default",
  "certificates/hosts/_": "tls-host-empty",
  "passthroughs/db.test": "passthrough-everything",
  "routes/:streams/tcp:5432": "stream-everything",
}

function afterChange(): Worker {
  const zones = new Zones()
  zones.write([{ key: "backends/:generation", value: Buffer.from("7f3a-41"), cas: 0 }])
  const worker = new Worker({ zones })
  expect(worker.post("/configuration/changes", text("change.json"))).toMatchObject({
    status: 201,
    body: '{"generation":"7f3a-42"}',
  })
  const more = {
    base: "7f3a-42",
    generation: "7f3a-43",
    route_parts: { set: [json("route-part-everything")] },
    routes: {
      set: [
        json("host-numbers.test"),
        { ...json("host-parts.test"), critical: ["parts"] },
        { ...json("host-closed.test"), critical: ["closed"] },
        { ...json("host-alias.test"), critical: ["alias_of"] },
        { ...json("host-script.test"), critical: ["script"] },
      ],
    },
  }
  expect(worker.post("/configuration/changes", more)).toMatchObject({ status: 201 })
  return worker
}

test("the posted change leaves exactly these records", () => {
  const { zones } = afterChange()
  for (const [key, file] of Object.entries(RECORDS)) {
    expect(Buffer.from(zones.get(key)?.value ?? []).toString("hex"), key).toBe(
      record(`${file}.hex`).toString("hex"),
    )
  }
})

test("parts are listed as such, and not among the hosts", () => {
  const worker = afterChange()
  const names = JSON.parse(worker.get("/configuration/names").body)
  expect(names.route_parts).toEqual(["9f3c_A-z0"])
  expect(names.routes).toHaveLength(9)
  expect(JSON.parse(worker.get("/configuration/route_parts").body)).toEqual([json("route-part-everything")])
  const hosts: { host: string }[] = JSON.parse(worker.get("/configuration/routes").body)
  expect(hosts.map(({ host }) => host).toSorted()).toEqual(
    [
      ...["*.shop.test", "_", "alias.test", "closed.test", "everything.test", "numbers.test"],
      ...["parts.test", "script.test", "shop.test"],
    ].toSorted(),
  )
})

test("what is in force is shown as posted, defaults filled in", () => {
  const worker = afterChange()
  const shown = (path: string) => JSON.parse(worker.get(path).body)
  expect(shown("/configuration/backends?name=shop-cart-80")).toEqual([json("backend-shop-cart-80")])
  expect(shown("/configuration/backends?name=shop-empty-http")).toEqual([json("backend-shop-empty-http")])
  expect(shown("/configuration/backends?name=shop-all-80")).toEqual([json("backend-shop-all-80")])
  expect(shown("/configuration/backends?name=shop-custom-80")).toEqual([json("backend-shop-custom-80")])
  expect(shown("/configuration/routes?host=shop.test")).toEqual([json("host-shop.test")])
  expect(shown("/configuration/routes?host=everything.test")).toEqual([json("host-everything.test")])
  expect(shown("/configuration/routes?host=*.shop.test&server=main")).toEqual([json("host-wildcard")])
  expect(shown("/configuration/routes?host=_&server=other")).toEqual([json("host-other-server")])
  expect(shown("/configuration/routes?host=numbers.test")).toEqual([json("host-numbers.test")])
  expect(shown("/configuration/routes?host=parts.test")).toEqual([json("host-parts.test")])
  expect(shown("/configuration/routes?host=closed.test")).toEqual([json("host-closed.test")])
  expect(shown("/configuration/routes?host=alias.test")).toEqual([json("host-alias.test")])
  expect(shown("/configuration/routes?host=script.test")).toEqual([json("host-script.test")])
  expect(shown("/configuration/route_parts?id=9f3c_A-z0")).toEqual([json("route-part-everything")])
  expect(shown("/configuration/address_lists?id=2b4e_A-z0")).toEqual([json("address-list-everything")])
  expect(shown("/configuration/user_lists?id=77aa_A-z0")).toEqual([json("user-list-everything")])
  expect(shown("/configuration/certificates?id=9f3c_A-z0")).toEqual([json("pair-everything")])
  expect(shown("/configuration/certificates?id=p")).toEqual([json("pair-small")])
  expect(shown("/configuration/staples?certificate=9f3c_A-z0")).toEqual([json("staple-everything")])
  expect(shown("/configuration/authorities?id=5d1e")).toEqual([json("authority-everything")])
  expect(shown("/configuration/authorities?id=a")).toEqual([json("authority-small")])
  expect(shown("/configuration/tls_hosts?host=*.shop.test")).toEqual([json("tls-host-everything")])
  expect(shown("/configuration/tls_hosts?host=%3Adefault")).toEqual([json("tls-host-default")])
  expect(shown("/configuration/tls_hosts?host=_")).toEqual([json("tls-host-empty")])
  expect(shown("/configuration/passthroughs?host=db.test")).toEqual([json("passthrough-everything")])
  expect(shown("/configuration/streams?name=tcp:5432")).toEqual([json("stream-everything")])
})
