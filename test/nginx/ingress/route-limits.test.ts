// The limits of routes beside nginx's own directives, which are the oracle: the same requests get the same answers.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { until } from "../../../harness/until.ts"

const key = "00ff00ff00ff00ff00ff00ff00ff00ff"
const directive = "ingress_limits clients=64 processes=8 request_status=429 connection_status=430;"
const nothing = "try_files /x =204;"

async function statuses(ingress: Ingress, host: string, count: number): Promise<string[]> {
  const answers = []
  for (let n = 0; n < count; n += 1) answers.push(await ingress.ask(host))
  return answers
}

// So few per minute that no time that a test takes matters.
describe.each([
  { rpm: 1, multiplier: 0 },
  { rpm: 1, multiplier: 1 },
  { rpm: 2, multiplier: 3 },
  { rpm: 3, multiplier: 5 },
])("$rpm per minute, $multiplier times at once", ({ rpm, multiplier }) => {
  test("as limit_req … nodelay, alone and behind a rate per second", async () => {
    const burst = (rate: number) => (rate * multiplier > 0 ? `burst=${rate * multiplier} nodelay` : "")
    await using ingress = await startIngress({
      http: `${directive}
        limit_req_zone $host zone=minute:1m rate=${rpm}r/m; limit_req_zone $host zone=second:1m rate=1000r/s;`,
      locations: `location @plain { ${nothing} }
        location @one { limit_req zone=minute ${burst(rpm)}; limit_req_status 429; ${nothing} }
        location @two { limit_req zone=second ${burst(1000)}; limit_req zone=minute ${burst(rpm)}; limit_req_status 429; ${nothing} }`,
    })
    await ingress.route("one.test", [{ location: "one" }])
    await ingress.route("two.test", [{ location: "two" }])
    await ingress.route("own.test", [{ limits: { key, rpm, multiplier } }])
    for (const host of ["one.test", "own.test"])
      expect(await statuses(ingress, host, 20)).toEqual([
        ...Array(1 + rpm * multiplier).fill("204"),
        ...Array(19 - rpm * multiplier).fill("429"),
      ])
    if (multiplier === 0) return // a second's request would have to be a millisecond apart from the one before
    await ingress.route("both.test", [
      { limits: { key: key.replace("00", "11"), rps: 1000, rpm, multiplier } },
    ])
    expect(await statuses(ingress, "both.test", 20)).toEqual(await statuses(ingress, "two.test", 20))
  })
})

test("the log says how much too much it was, as nginx does", async () => {
  await using ingress = await startIngress({
    http: `${directive} limit_req_zone $host zone=minute:1m rate=1r/m;`,
    locations: `location @plain { ${nothing} } location @one { limit_req zone=minute burst=1 nodelay; ${nothing} }`,
  })
  await ingress.route("one.test", [{ location: "one" }])
  await ingress.route("own.test", [
    { namespace: "shop", ingress_name: "cart", limits: { key, rpm: 1, multiplier: 1 } },
  ])
  for (const host of ["one.test", "own.test"]) await statuses(ingress, host, 3)
  const lines = () => readFileSync(join(ingress.nginx.dir, "error.log"), "utf8")
  await until("both lines", () => /excess: [12]\.\d{3} by zone "minute", client: 127/.test(lines()))
  expect(lines()).toMatch(
    /excess: [12]\.\d{3} by zone "shop_cart_rpm", client: 127\.0\.0\.1, server: .*request: "GET/,
  )
})

test("as limit_conn: requests at a time", async () => {
  await using backends = await startBackends("slow")
  const [slow] = backends
  await using ingress = await startIngress({
    http: `${directive} limit_conn_zone $host zone=connections:1m;`,
    locations: `location @plain { proxy_pass http://127.0.0.1:${slow?.port}; }
      location @one { limit_conn connections 2; limit_conn_status 430; proxy_pass http://127.0.0.1:${slow?.port}; }`,
  })
  await ingress.route("one.test", [{ location: "one" }])
  await ingress.route("own.test", [{ limits: { key, connections: 2 } }])
  for (const host of ["one.test", "own.test"]) {
    await slow?.fault("hold")
    const held = [ingress.ask(host), ingress.ask(host)]
    await until("both to arrive", () => slow?.running === 2)
    expect(await statuses(ingress, host, 3)).toEqual(["430", "430", "430"])
    await slow?.fault(undefined)
    expect(await Promise.all(held)).toEqual(["slow", "slow"])
    expect(await statuses(ingress, host, 3)).toEqual(["slow", "slow", "slow"])
  }
})

test("$limit_req_status and $limit_conn_status say it, and a request that is redirected inside is not counted again", async () => {
  await using ingress = await startIngress({
    http: directive,
    locations: `location @plain { add_header X-Status "$limit_req_status $limit_conn_status" always; error_page 418 = /again; try_files /x =418; }
      location @again { return 200 "again"; }`,
  })
  await ingress.route("own.test", [
    { limits: { key, rpm: 1, multiplier: 2, connections: 5 } },
    { path: "/again", location: "again", limits: { key, rpm: 1, multiplier: 2, connections: 5 } },
  ])
  expect(await statuses(ingress, "own.test", 5)).toEqual(["again", "again", "again", "429", "429"])
  const { headers } = await ingress.nginx.get("/", { host: "own.test" })
  expect(headers["x-status"]).toBe("REJECTED")
})

test("nginx's own zones hold beside them, for the same route and for one that it is led to", async () => {
  const status = `add_header X-Status "$limit_req_status $limit_conn_status" always;`
  await using ingress = await startIngress({
    http: `${directive} limit_req_zone $host zone=minute:1m rate=1r/m; limit_conn_zone $host zone=connections:1m;`,
    locations: `location @plain { ${nothing} }
      location @zone { ${status} limit_req zone=minute; ${nothing} }
      location @delayed { ${status} limit_req zone=minute burst=9; limit_req_dry_run on; ${nothing} }
      location @led { limit_req zone=minute burst=9 nodelay; limit_conn connections 9; error_page 418 = /again; try_files /x =418; }`,
  })
  await ingress.route("zone.test", [{ location: "zone", limits: { key, connections: 5 } }])
  expect(await statuses(ingress, "zone.test", 3)).toEqual(["204", "503", "503"])
  await ingress.route("led.test", [
    { location: "led" },
    { path: "/again", limits: { key: key.replace("00", "22"), rpm: 1, multiplier: 0 } },
  ])
  expect(await statuses(ingress, "led.test", 3)).toEqual(["204", "429", "429"])
  await ingress.route("told.test", [{ location: "delayed", limits: { key, connections: 5 } }])
  const told = async () => (await ingress.nginx.get("/", { host: "told.test" })).headers["x-status"]
  expect([await told(), await told()]).toEqual(["PASSED PASSED", "DELAYED_DRY_RUN PASSED"])
})

test("what cannot be asked closes: without the directive, and with a list that is not there", async () => {
  await using ingress = await startIngress({ locations: `location @plain { ${nothing} }` })
  await ingress.route("own.test", [{ limits: { key, rps: 1 } }, { path: "/open" }])
  expect([await ingress.ask("own.test"), await ingress.ask("own.test", "/open")]).toEqual(["503", "204"])
  for (const limits of [{ key, rps: 1, exempt: "none" }, { key: "5d1e", rps: 1 }, { key }]) {
    await ingress.route("own.test", [{ limits }])
    expect(await ingress.ask("own.test")).toBe("503")
  }
})

describe("a table that is full", () => {
  // Of a single set, so that each client may take another one's place.
  const full = {
    http: directive.replace("clients=64", "clients=8"),
    locations: `location @plain { ${nothing} }`,
  }
  const by = "header:x-key"
  const strangers = async (ingress: Ingress, host: string, count: number) => {
    for (let n = 0; n < count; n += 1) await ingress.ask(host, "/", { "x-key": `stranger-${n}` })
  }
  const statusesOf = async (ingress: Ingress, host: string, count: number, client: string) => {
    const answers = []
    for (let n = 0; n < count; n += 1) answers.push(await ingress.ask(host, "/", { "x-key": client }))
    return answers
  }

  test("no namespace makes another one's clients begin anew, or be refused", async () => {
    await using ingress = await startIngress(full)
    const other = key.replaceAll("00", "11")
    await ingress.route("own.test", [{ namespace: "shop", limits: { key, rpm: 1, multiplier: 5 } }])
    await ingress.route("other.test", [
      { namespace: "evil", limits: { key: other, rpm: 1, multiplier: 5, by } },
    ])
    expect(await statuses(ingress, "own.test", 3)).toEqual(["204", "204", "204"])
    await strangers(ingress, "other.test", 100)
    expect(await statuses(ingress, "own.test", 5)).toEqual(["204", "204", "204", "429", "429"])
    await strangers(ingress, "other.test", 100)
    expect(await statuses(ingress, "own.test", 2)).toEqual(["429", "429"])
  })

  test("who had to leave gets no more than its burst when it comes again", async () => {
    await using ingress = await startIngress(full)
    await ingress.route("own.test", [{ namespace: "shop", limits: { key, rpm: 1, multiplier: 5, by } }])
    expect(await statusesOf(ingress, "own.test", 7, "ada")).toEqual([...Array(6).fill("204"), "429"])
    for (let round = 0; round < 5; round += 1) {
      await strangers(ingress, "own.test", 60)
      expect(await statusesOf(ingress, "own.test", 2, "ada")).toEqual(["429", "429"])
    }
  })
})
