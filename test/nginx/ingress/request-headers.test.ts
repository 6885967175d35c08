// Headers of the request that a route sets, adds, takes away and asks for, whatever names the client's have.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { levelOf, moreSetInput } from "../../../harness/ingress/levels.ts"
import { scriptOf } from "../../../harness/ingress/script-records.ts"
import { type Echo, startEcho } from "./support/echo.ts"

let echo: Echo
let ingress: Ingress
beforeAll(async () => {
  echo = await startEcho()
  ingress = await startIngress({
    http: `ignore_invalid_headers off; underscores_in_headers on; upstream echo { server 127.0.0.1:${echo.port}; }`,
    locations: `location @plain {
      proxy_set_header X-Seen "$http_cookie|$http_authorization|$http_x_forwarded_for|$remote_user"; proxy_pass http://echo;
    }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

/** Lines of the backend's that are about a name, in small letters, or the status. */
async function lines(host: string, name: string, headers: object): Promise<string[]> {
  const { status, body } = await ingress.nginx.get("/", { host, headers: { ...headers } })
  if (status !== 200) return [String(status)]
  const all = body.split("\r\n").map((line) => line.toLowerCase())
  return all.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))
}

// nginx leaves a dot and its like out of the hash that it keeps of a name.
const names = ["X-User", "x_user", "X.User", "X!", `X-${"long-".repeat(20)}name`]
const clients = (name: string) => ({
  none: {},
  one: { [name]: "theirs" },
  "another case": { [name.toUpperCase()]: "theirs" },
  several: { [name]: ["theirs", "again", "more"] },
})

test.each(names)("the header %s is set in the place of all that the client has sent", async (name) => {
  const setRequestHeaders = [[name, "ours"]] as const
  await ingress.route("set.test", [{ actions: { setRequestHeaders } }])
  const script = scriptOf([], [levelOf([moreSetInput(name, "ours")])])
  await ingress.route("level.test", [{ script }])
  for (const [how, headers] of Object.entries(clients(name)))
    for (const host of ["set.test", "level.test"])
      expect(await lines(host, name.toLowerCase(), headers), `${host} ${how}`).toEqual(["ours"])
})

test.each(names)("the header %s is added and taken away", async (name) => {
  const added = [[name, "ours"]] as const
  await ingress.route("added.test", [{ actions: { addRequestHeaders: added } }])
  await ingress.route("gone.test", [{ actions: { setRequestHeaders: [[name, ""]] } }])
  for (const [how, headers] of Object.entries(clients(name))) {
    const theirs = Object.values<string | readonly string[]>(headers).flat()
    expect(await lines("added.test", name.toLowerCase(), headers), how).toEqual([...theirs, "ours"])
    expect(await lines("gone.test", name.toLowerCase(), headers), how).toEqual([])
  }
})

test("nginx knows of headers that are set what it knows of a client's", async () => {
  const authorization = `Basic ${btoa("ada:secret")}`
  const setRequestHeaders = [
    ["cookie", "a=1"],
    ["Authorization", authorization],
    ["X-Forwarded-For", "192.0.2.1"],
  ] as const
  await ingress.route("known.test", [{ actions: { setRequestHeaders } }])
  const seen = [`a=1|${authorization}|192.0.2.1|ada`.toLowerCase()]
  expect(await lines("known.test", "x-seen", {})).toEqual(seen)
  const theirs = { Cookie: ["b=2", "c=3"], authorization: "Basic b2xkOnB3", "X-Forwarded-For": ["a", "b"] }
  expect(await lines("known.test", "x-seen", theirs)).toEqual(seen)
})

test("what frames a request or names its host stays", async () => {
  const setRequestHeaders = ["Host", "content-length", "Connection", "Transfer-Encoding"].map(
    (name) => [name, "7"] as const,
  )
  await ingress.route("framed.test", [
    { actions: { setRequestHeaders, addRequestHeaders: setRequestHeaders } },
  ])
  const { status, body } = await ingress.nginx.get("/", { host: "framed.test" })
  expect(status).toBe(200)
  expect(body).not.toMatch(/: 7\r$/m)
})

test.each(names)("a condition on the header %s is about all of its lines", async (name) => {
  const on = (value: string) => [{ header: name.toUpperCase(), value }]
  await ingress.route("asked.test", [
    { conditions: on("a"), actions: { setRequestHeaders: [["X-Met", "one"]] } },
    { conditions: on("a,b,c"), actions: { setRequestHeaders: [["X-Met", "several"]] } },
  ])
  const met = (headers: object) => lines("asked.test", "x-met", headers)
  expect(await met({ [name]: "a" })).toEqual(["one"])
  expect(await met({ [name.toLowerCase()]: ["a", "b", "c"] })).toEqual(["several"])
  expect(await met({ [name]: "b" })).toEqual(["404"])
  expect(await met({ [`${name}-`]: "a" })).toEqual(["404"])
  expect(await met({})).toEqual(["404"])
})
