// A user who takes all nonces of Digest authentication keeps nobody of another realm from logging in, nor from going on.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { scrape, sumOf } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { proof, userLine } from "../../support/digest.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  await site.reconfigure({ "zone-sizes": "nonces: 1m" })
  await site.put(...site.service("app", "one"), ...realm("greedy"), ...realm("quiet"))
})
afterAll(() => site[Symbol.asyncDispose]())

/** A realm with a user and a host of its own. */
function realm(name: string): Json[] {
  const user = { user: "ada", password: "sesame", algorithm: "MD5", realm: name } as const
  const asked = { "auth-type": "digest", "auth-secret": name, "auth-realm": name }
  return [
    secret(`demo/${name}`, { auth: userLine(user) }),
    ingress(`demo/${name}`, `${name}.test/ → app:80`, asked),
  ]
}

/** No request of a connection waits for the answer before it. */
async function ask(name: string, count: number, header: (nth: number) => string): Promise<string> {
  const heads = Array.from(
    { length: count },
    (_, nth) => `GET / HTTP/1.1\r\nHost: ${name}.test\r\n${header(nth)}\r\n`,
  )
  return rawRequest(site.wick.port, `${heads.join("\r\n").replace(/\r\n$/, "")}\r\nConnection: close\r\n\r\n`)
}

const noncesOf = async (name: string, count: number) => {
  const answers = await ask(name, count, () => "Accept: */*")
  return [...answers.matchAll(/nonce="([0-9a-f]{64})"/g)].map(([, nonce = ""]) => nonce)
}

/** So many nonces are asked for, and each is used once. */
async function use(name: string, count: number): Promise<void> {
  const nonces = await noncesOf(name, count)
  expect(nonces).toHaveLength(count)
  const answers = await ask(
    name,
    count,
    (nth) => `Authorization: ${proof({ realm: name, nonce: nonces[nth] ?? "" })}`,
  )
  expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(count)
}

const shortages = async () => sumOf(await scrape(site.wick), "wick_zone_shortages_total", { zone: "nonces" })

test("shares are by realm", async () => {
  const [nonce = ""] = await noncesOf("quiet", 1)
  const quiet = async (count: number) => {
    const authorization = proof({ realm: "quiet", nonce, count })
    return (await site.get("/", { host: "quiet.test", headers: { authorization } })).status
  }
  expect(await quiet(1)).toBe(200)
  await until("the table to be full", async () => {
    await use("greedy", 512)
    return (await shortages()) > 512
  })
  expect(await quiet(2)).toBe(200)
  await use("quiet", 64)
  await use("greedy", 64)
  expect(await quiet(3)).toBe(200)
  for (const used of [1, 2, 3]) expect(await quiet(used)).toBe(401)
})
