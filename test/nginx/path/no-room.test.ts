// In zones without room nobody gets what the new objects refuse, although what says so does not fit: from YAML to answer, on a real nginx.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import {
  ingress,
  ingressClass,
  type Json,
  manifest,
  secret,
  service,
  serviceOn,
  settings,
  slice,
} from "../../../harness/manifests.ts"
import { basic, hashes, password } from "../../../harness/passwords.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

let backends: Backends
let wick: Wick
let round = 0
let lists = 0

const host = "tenant.test"
const port = (name: string) => backends.find((backend) => backend.name === name)?.port ?? 0

/** A list of networks that cannot be merged, of another tenant: 21 bytes each in the zone of the routes. */
const withList = (length: number, at: string): Json => {
  lists += 1 // equal ones would be one
  const list = Array.from({ length }, (_, n) => `2001:${lists}:${(2 * n).toString(16)}::/48`).join()
  return ingress(`greedy/list-${at}`, `list-${at}.test/ → gone:80`, { "whitelist-source-range": list })
}

/** A Service with many endpoints: 9 bytes each in the zone of the backends. */
const withEndpoints = (length: number, at: string): Json[] => {
  const addresses = Array.from({ length }, (_, n) => `10.77.${n >> 8}.${n & 255}`)
  const paths = `paths-${at}.test/ → b-${at}:80`
  return [ingress(`greedy/b-${at}`, paths), service(`greedy/b-${at}`), slice(`greedy/b-${at}`, addresses, 80)]
}

/** A host with ciphers of its own: as many bytes in the zone of the certificates. */
const withCiphers = (length: number, at: string): Json => {
  const ciphers = "ECDHE-RSA-AES128-GCM-SHA256:".repeat(150).slice(0, length).replace(/:$/, "A")
  return ingress(`greedy/ciphers-${at}`, `ciphers-${at}.test/ → gone:80`, { "ssl-ciphers": ciphers })
}

/** Most of the zones. */
const large = () => [
  ...Array.from({ length: 230 }, (_, at) => withCiphers(4_000, `large-${at}`)),
  ...[16_000, 16_000, 9_000].map((length, at) => withList(length, `large-${at}`)),
  ...Array.from({ length: 6 }, (_, at) => withEndpoints(16_000, `large-${at}`)).flat(),
  ...withEndpoints(12_000, "large-6"),
]

/** What leaves a few bytes of what the large ones leave. */
const small = () =>
  [4_000, 2_000, 1_000, 500, 250, 120, 60, 30, 15, 8, 4, 2, 1].flatMap((length, at) =>
    ["a", "b"].flatMap((half) => [
      withList(length, `small-${at}${half}-${round}`),
      withCiphers(length, `small-${at}${half}`),
      // Those of before linger, and take room under other names.
      ...withEndpoints(length, `small-${at}${half}`),
    ]),
  )

const jsonFile = (objects: readonly Json[]) =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items: objects })

/** The tenant's Service on one of the backends. */
const app = (
  to: string,
  annotations: Readonly<Record<string, string>> = {},
  ...more: readonly Json[]
): Json[] => [
  ...serviceOn("shop/app", [port(to)]),
  ingress("shop/app", `${host}/ → app:80`, annotations),
  ...more,
]

beforeAll(async () => {
  backends = await startBackends("old", "new")
  wick = await startWick({
    manifests: {
      "class.yaml": manifest(ingressClass),
      "settings.yaml": manifest(
        settings("shop/settings", {
          "worker-processes": "2",
          "zone-sizes": "routes: 1m, backends: 1m, certificates: 1m, passthroughs: 1m",
          "max-zone-size": "1m",
          "zone-share": "100",
        }),
      ),
      ...Object.fromEntries(large().map((object, at) => [`large-${at}.json`, JSON.stringify(object)])),
    },
    flags: ["--configmap=shop/settings", "--sync-rate-limit=100"],
  })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

const problems = () => wick.metric("wick_problems", 'code="no-room"')
const statusOf = async (headers: Readonly<Record<string, string>> = {}) =>
  (await wick.get("/", { host, headers })).status

/** Puts the tenant's objects where there is room, fills the zones, and replaces them. */
async function replaceWithoutRoom(
  before: readonly Json[],
  after: readonly Json[],
  word = password,
  isServed = async () => {},
): Promise<void> {
  round += 1
  const sign = ingress("shop/sign", `sign-${round}.test/ → app:80`)
  wick.write("small.json", jsonFile([]))
  wick.write("web.json", jsonFile([...before, sign]))
  await until("room", async () => (await problems()) === 0)
  const served = { host: `sign-${round}.test`, headers: basic("ada", word) }
  await until("the objects of before", async () => (await wick.get("/", served)).body === "old")
  await isServed()
  wick.write("small.json", jsonFile(small()))
  await until("zones without room", async () => (await problems()) > 2)
  wick.write("web.json", jsonFile([...after, sign]))
}

const guarded = { "auth-type": "basic", "auth-secret": "users" }
/** So many that a list without one of them finds no room beside the one with all. */
const others = Array.from({ length: 60 }, (_, at) => `user-${at}:${hashes.bcrypt}`)
const users = (...lines: readonly string[]) =>
  secret("shop/users", { auth: [...lines, ...others].join("\n") })
const [ada, bob] = ["ada", "bob"].map((name) => `${name}:${hashes.bcrypt}`) as [string, string]

test("a host that gets auth-type: basic is not open any more", async () => {
  await replaceWithoutRoom(app("old"), app("old", guarded, users(ada)))
  await until("nobody to get in without a password", async () => (await statusOf()) !== 200)
  expect([401, 503]).toContain(await statusOf())
})

test("a user who was removed does not get in any more", async () => {
  await replaceWithoutRoom(app("old", guarded, users(ada, bob)), app("old", guarded, users(ada)))
  await until("bob to be out", async () => (await statusOf(basic("bob", password))) !== 200)
})

test("an old password does not let in any more", async () => {
  const withWord = (word: string) => app("old", guarded, users(`ada:{PLAIN}${word}`))
  await replaceWithoutRoom(withWord("former"), withWord("a-longer-one"), "former")
  await until("the old word to be refused", async () => (await statusOf(basic("ada", "former"))) !== 200)
})

test("an address that is denied does not get in any more", async () => {
  const networks = Array.from({ length: 400 }, (_, at) => `2001:db8:${at}::/48`)
  const allow = (more: string) => app("old", { "whitelist-source-range": [more, ...networks].join() })
  await replaceWithoutRoom(allow("127.0.0.0/8"), allow("10.0.0.0/8"))
  await until("loopback to be out", async () => (await statusOf()) !== 200)
})

test("a Service that moved does not lead to its old endpoint", async () => {
  const addresses = Array.from({ length: 250 }, (_, at) => `127.0.0.${at + 2}`)
  const more = slice("shop/app", addresses, port("new"), "more")
  await replaceWithoutRoom(app("old"), app("new", {}, more))
  await until("the old one to be left alone", async () => (await wick.get("/", { host })).body !== "old")
})

/** Who shows this to the host by TLS gets that. */
async function shown(identity: Identity): Promise<number> {
  await using client = await TlsClient.connect(wick.httpsPort, { servername: host, identity })
  return (await client.ask({ host })).status
}

test.each([
  ["another authority", (other: Authority) => [secret("shop/clients", { "ca.crt": other.pem })]],
  ["no authority at all", () => []],
])("whose authority is taken away does not get in any more: %s", async (_, after) => {
  const [ca, other] = await Promise.all([rootAuthority({ cn: "ca" }), rootAuthority({ cn: "x".repeat(60) })])
  const alice = await ca.issue({ cn: "alice" })
  const asking = { "auth-tls-secret": "shop/clients" }
  const before = app("old", asking, secret("shop/clients", { "ca.crt": ca.pem }))
  await replaceWithoutRoom(before, app("old", asking, ...after(other)), password, async () =>
    expect(await shown(alice)).toBe(200),
  )
  await until("alice to be out", async () => (await shown(alice)) !== 200)
})
