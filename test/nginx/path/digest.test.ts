// Digest authentication from the Ingress to the answer: a client proves that it knows a password, each proof counts once in whichever worker, and a
// nonce that is used up is no reason to ask its user again.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, secret, settings } from "../../../harness/manifests.ts"
import { basic, hashes } from "../../../harness/passwords.ts"
import { type Algorithm, hash, type Proof, proof as proofOf, userLine } from "../../support/digest.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one", "two"])
})
afterAll(() => site[Symbol.asyncDispose]())

type Annotations = Readonly<Record<string, string>>

const realm = 'say "café"'
const line = (user: string, password: string, algorithm: Algorithm, of = realm) =>
  userLine({ user, password, algorithm, realm: of })
const proof = (said: Omit<Proof, "realm"> & Pick<Partial<Proof>, "realm">) => proofOf({ realm, ...said })

const asked = { "auth-type": "digest", "auth-secret": "users", "auth-realm": realm }
const app = (annotations: Annotations = {}, rules: string | readonly string[] = "foo.test/ → app:80"): Json =>
  ingress("demo/app", rules, { ...asked, ...annotations })
const users = (...lines: readonly string[]) => secret("demo/users", { auth: lines.join("\n") })
const put = (...objects: readonly Json[]) => site.put(...site.service("app", "one"), ...objects)

/** What the latest refusal offers, by algorithm. */
interface Challenge {
  readonly algorithm: string
  readonly nonce: string
  readonly isStale: boolean
}

function challengesIn(headers: Readonly<Record<string, unknown>>): Challenge[] {
  const lines = String(headers["www-authenticate"] ?? "").split(/, (?=Digest )/)
  return lines.map((line) => {
    expect(line).toMatch(
      /^Digest realm="say \\"caf\xc3\xa9\\"", qop="auth", algorithm=\S+, nonce="[0-9a-f]{64}"(, stale=true)?$/,
    )
    const [, algorithm = "", nonce = ""] = /algorithm=([^,]+), nonce="([^"]+)"/.exec(line) ?? []
    return { algorithm, nonce, isStale: line.endsWith("stale=true") }
  })
}

async function challenge(path = "/"): Promise<Challenge> {
  const { status, headers } = await site.get(path)
  expect(status).toBe(401)
  return challengesIn(headers)[0] as Challenge
}

const send = (authorization: string, path = "/") => site.get(path, { headers: { authorization } })

test("137: who proves nothing is challenged, who knows the password gets in", async () => {
  await put(users(line("ada", "sesame", "MD5")), app())
  const { nonce, algorithm, isStale } = await challenge()
  expect([algorithm, isStale]).toEqual(["MD5", false])
  expect((await send(proof({ nonce, password: "wrong" }))).status).toBe(401)
  expect((await send(proof({ nonce, user: "bob" }))).status).toBe(401)
  const { status, headers } = await send(proof({ nonce }))
  expect(status).toBe(200)
  const a1 = hash("MD5", "ada", realm, "sesame")
  const rspauth = hash("MD5", a1, nonce, "00000001", "c", "auth", hash("MD5", "", "/"))
  expect(headers["authentication-info"]).toBe(`qop=auth, rspauth="${rspauth}", cnonce="c", nc=00000001`)
  await site.untilSaid(`user "ada": password mismatch`)
  await site.untilSaid(`user "bob" was not found in`)
  await site.expectOnlyPosts()
})

test("SHA-256, where all users have such a hash", async () => {
  await put(users(line("ada", "sesame", "SHA-256"), line("bob", "sesame", "SHA-256")), app())
  const { nonce, algorithm } = await challenge()
  expect(algorithm).toBe("SHA-256")
  expect((await send(proof({ nonce, algorithm: "SHA-256" }))).status).toBe(200)
  expect((await send(proof({ nonce, count: 2 }))).status).toBe(401)
})

test("clients take the algorithm that they are offered: beside hashes of MD5 one of SHA-256 lets nobody in", async () => {
  await put(users(line("bob", "sesame", "SHA-256"), line("ada", "sesame", "MD5")), app())
  const { nonce, algorithm } = await challenge()
  expect(algorithm).toBe("MD5")
  expect((await send(proof({ nonce }))).status).toBe(200)
  expect((await send(proof({ nonce, user: "bob", count: 2 }))).status).toBe(401)
  await site.untilSaid('"bob" has a hash of SHA-256')
})

describe("a proof", () => {
  test("counts once, over all workers; the next count is a new one", async () => {
    await put(users(line("ada", "sesame", "MD5")), app())
    const { nonce } = await challenge()
    const first = proof({ nonce })
    const again = await Promise.all(Array.from({ length: 24 }, () => send(first)))
    expect(again.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = again.find(({ status }) => status === 401)
    expect(challengesIn(refused?.headers ?? {})[0]?.isStale).toBe(true)
    await site.untilSaid(`user "ada": an answer was sent again`)
    const counts = Array.from({ length: 20 }, (_, n) => n + 2)
    const all = await Promise.all(counts.map((count) => send(proof({ nonce, count }))))
    expect(all.map(({ status }) => status)).toEqual(counts.map(() => 200))
  })

  test("is for one request", async () => {
    await put(users(line("ada", "sesame", "MD5")), app())
    const { nonce } = await challenge()
    expect((await send(proof({ nonce, path: "/other" }), "/")).status).toBe(401)
    expect((await send(proof({ nonce, path: "/?a=1" }), "/?a=2")).status).toBe(401)
    expect((await send(proof({ nonce, method: "POST" }))).status).toBe(401)
    expect((await send(proof({ nonce, path: "/?a=1" }), "/?a=1")).status).toBe(200)
  })

  test("is for one list of users and one realm", async () => {
    const other = ingress("demo/other", "bar.test/ → app:80", { ...asked, "auth-secret": "others" })
    const others = secret("demo/others", {
      auth: `${line("ada", "sesame", "MD5")}\n${line("eve", "x", "MD5")}`,
    })
    await put(users(line("ada", "sesame", "MD5")), others, app(), other)
    const { nonce } = await challenge()
    const at = async (host: string) =>
      (await site.get("/", { host, headers: { authorization: proof({ nonce }) } })).status
    expect(await at("bar.test")).toBe(401)
    expect(await at("foo.test")).toBe(200)
  })

  test("by a nonce that nobody gave out is none", async () => {
    await put(users(line("ada", "sesame", "MD5")), app())
    const { nonce } = await challenge()
    for (const other of [
      "",
      "x",
      "0".repeat(64),
      nonce.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
    ]) {
      const { status, headers } = await send(proof({ nonce: other }))
      expect([status, challengesIn(headers)[0]?.isStale]).toEqual([401, false])
    }
  })

  test("lasts over a reload and a change of the users", async () => {
    await put(users(line("ada", "sesame", "MD5")), app())
    const { nonce } = await challenge()
    expect((await send(proof({ nonce }))).status).toBe(200)
    await site.reconfigure({ "keep-alive-requests": "77" })
    expect((await send(proof({ nonce }))).status).toBe(401)
    expect((await send(proof({ nonce, count: 2 }))).status).toBe(200)
    await site.reconfigure({})
    await put(users(line("ada", "new", "MD5")), app())
    const { status, headers } = await send(proof({ nonce, count: 3 }))
    expect([status, challengesIn(headers)[0]?.isStale]).toEqual([401, false])
    expect((await send(proof({ nonce: (await challenge()).nonce, password: "new" }))).status).toBe(200)
  })
})

test("other credentials are none, and of two nobody knows which count", async () => {
  await put(users(line("ada", "sesame", "MD5")), app())
  const { nonce } = await challenge()
  const right = proof({ nonce })
  expect((await site.get("/", { headers: basic("ada", "sesame") })).status).toBe(401)
  expect((await send(`${right}, username="bob"`)).status).toBe(401)
  expect((await send(`${right}, nc=00000001`)).status).toBe(401)
  expect((await send(right.replace("qop=auth", "qop=auth-int"))).status).toBe(401)
  expect((await send(right)).status).toBe(200)
})

test("the backend does not see the proof; nginx knows the user, for the log and where an administrator wants it", async () => {
  const named = settings("demo/headers", { "X-User": "$remote_user" })
  await put(users(line("ada", "sesame", "MD5")), app(), named)
  await site.reconfigure({ "proxy-set-headers": "demo/headers" })
  const { nonce } = await challenge()
  expect((await send(proof({ nonce }))).status).toBe(200)
  const seen = site.backend("one").lastHeaders
  expect([seen?.authorization, seen?.["x-user"]]).toEqual([undefined, "ada"])
  await site.reconfigure({})
})

test("holds for the page that an error leads to, by the same users of the same realm", async () => {
  const other = ingress("demo/other", "foo.test/other → page:80", { ...asked, "auth-realm": "other" })
  const same = users(line("ada", "sesame", "MD5"), line("ada", "sesame", "MD5", "other"))
  const named = settings("demo/headers", { "X-User": "$remote_user" })
  const ledTo = async (path: string) => {
    const snippet = `proxy_intercept_errors on; error_page 500 = ${path};`
    const own = app({ "configuration-snippet": snippet }, ["foo.test/ → app:80", "foo.test/page → page:80"])
    await put(same, own, other, named, ...site.service("page", "two"))
    const { nonce } = await challenge()
    const { status, body } = await send(proof({ nonce }))
    return [status, body.includes("two")]
  }
  await site.reconfigure({ "proxy-set-headers": "demo/headers" })
  await site.backend("one").fault("error")
  expect(await ledTo("/page")).toEqual([200, true])
  const { lastUrl, lastHeaders } = site.backend("two")
  expect([lastUrl, lastHeaders.authorization, lastHeaders["x-user"]]).toEqual(["/page", undefined, "ada"])
  expect(await ledTo("/other")).toEqual([401, false])
  await site.backend("one").fault(undefined)
  await site.reconfigure({})
})

test("users of other realms and hashes of passwords do not get in, and the owner hears of it", async () => {
  await put(
    users(line("ada", "sesame", "MD5", "other"), line("bob", "sesame", "MD5"), `eve:${hashes.bcrypt}`),
    app(),
  )
  const { nonce } = await challenge()
  expect((await send(proof({ nonce }))).status).toBe(401)
  expect((await send(proof({ nonce, user: "bob" }))).status).toBe(200)
  await site.untilProblem("users-left-out")
  await put(users(line("ada", "sesame", "MD5", "other")), app())
  expect((await site.get("/")).status).toBe(503)
  await site.untilSaid("it holds no user of realm")
})

test("each key of a Secret may be a user", async () => {
  const value = line("ada", "sesame", "SHA-256").replace("ada:", "")
  await put(secret("demo/users", { ada: `${value}\n` }), app({ "auth-secret-type": "auth-map" }))
  const { nonce } = await challenge()
  expect((await send(proof({ nonce, algorithm: "SHA-256" }))).status).toBe(200)
})
