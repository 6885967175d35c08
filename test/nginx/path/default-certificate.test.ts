// --default-ssl-certificate, from its Secret to the handshake, without a reload. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, secret, withTls } from "../../../harness/manifests.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { shownChain } from "../../../harness/shake.ts"
import { Site } from "./site.ts"

let site: Site
let one: Identity
let two: Identity

beforeAll(async () => {
  const root = await rootAuthority()
  ;[one, two] = await Promise.all([
    root.issue({ names: ["one.test"] }),
    root.issue({ names: ["two.test", "www.two.test"] }),
  ])
  site = await Site.start(["a"], { flags: ["--default-ssl-certificate=demo/default"] })
})
afterAll(async () => {
  await site.expectOnlyPosts()
  await site[Symbol.asyncDispose]()
})

const put = (...objects: readonly Json[]) => site.put(...site.service("a", "a"), ...objects)

/** What each of these names is shown: the common name of the certificate. */
async function shown(...names: readonly string[]): Promise<readonly string[]> {
  const chains = names.map((servername) =>
    shownChain(site.wick.httpsPort, { ...(servername && { servername }) }),
  )
  const known = { one, two }
  return (await Promise.all(chains)).map(
    ([leaf]) => Object.entries(known).find(([, { der }]) => leaf?.equals(der))?.[0] ?? "self-signed",
  )
}

const objects = [
  withTls(ingress("demo/all", "/ → a:80"), "=one"),
  withTls(ingress("demo/empty", "empty.test/ → a:80"), "empty.test"),
  withTls(ingress("demo/others", "others.test/ → a:80"), "others.test=one"),
  ingress("demo/plain", "plain.test/ → a:80"),
  withTls(ingress("demo/one", "one.test/ → a:80"), "one.test=one"),
]
const names = ["", "nobody.test", "empty.test", "others.test", "plain.test", "one.test"]

test("84: self-signed until the Secret is there", async () => {
  await put(...objects, secret("demo/one", one.tlsData()))
  expect(await shown(...names)).toEqual([...Array(5).fill("self-signed"), "one"])
  await site.untilProblem("default-certificate-unusable")
})

test("84: then shown by everybody who has no certificate", async () => {
  await put(...objects, secret("demo/one", one.tlsData()), secret("demo/default", two.tlsData()))
  expect(await shown(...names)).toEqual([...Array(5).fill("two"), "one"])
})

test("84: an unusable update keeps it, deletion brings the self-signed one back", async () => {
  await put(...objects, secret("demo/one", one.tlsData()), secret("demo/default", { "tls.crt": one.pem }))
  expect(await shown(...names)).toEqual([...Array(5).fill("two"), "one"])
  await put(...objects, secret("demo/one", one.tlsData()))
  expect(await shown(...names)).toEqual([...Array(5).fill("self-signed"), "one"])
})

test("112: a certificate for both names serves the redirect between them, too", async () => {
  const www = ingress("demo/www", "two.test/ → a:80", { "from-to-www-redirect": "true" })
  await put(withTls(www, "two.test=two"), secret("demo/two", two.tlsData()))
  expect(await shown("two.test", "www.two.test")).toEqual(["two", "two"])
})
