// Which certificate a handshake is shown, from Secrets and Ingresses to the answer, in every worker and without a reload. Numbers are those of
// ingress-nginx's black-box cases.
import { generateKeyPairSync } from "node:crypto"
import type { ConnectionOptions } from "node:tls"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, manifest, secret, withTls } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { outcome, shownChain } from "../../../harness/shake.ts"
import { until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"
import { Site } from "./site.ts"

let site: Site
let root: Authority
let between: Authority
let one: Identity
let two: Identity

beforeAll(async () => {
  root = await rootAuthority()
  between = await root.intermediate()
  ;[one, two] = await Promise.all([
    between.issue({ names: ["foo.test"] }),
    root.issue({ names: ["foo.test"] }),
  ])
  site = await Site.start(["a"])
})
afterAll(async () => {
  await site.expectOnlyPosts()
  await site[Symbol.asyncDispose]()
})

const put = (...objects: readonly Json[]) => site.put(...site.service("a", "a"), ...objects)

/** An Ingress of hosts, with tls entries as `withTls` reads them. */
const hosts = (names: readonly string[], ...entries: readonly string[]) =>
  withTls(
    ingress(
      "demo/hosts",
      names.map((name) => `${name}/ → a:80`),
    ),
    ...entries,
  )

const foo = (...entries: readonly string[]) => hosts(["foo.test"], ...entries)
const fooSecret = (of: Identity) => secret("demo/foo", of.tlsData())

/** Serial number of the certificate that is shown, or "default". */
async function shown(servername = "foo.test", options: ConnectionOptions = {}): Promise<string> {
  const [leaf] = await shownChain(site.wick.httpsPort, { ...(servername && { servername }), ...options })
  const known = Object.entries({ one, two }).find(([, { der }]) => leaf?.equals(der))
  return known?.[0] ?? (leaf?.includes("Fake Certificate") ? "default" : `${leaf?.length} bytes`)
}

/** In every worker: with four of them, twenty connections leave one out in 1 of 300 runs. */
async function everywhere(servername?: string): Promise<readonly string[]> {
  return [...new Set(await Promise.all(Array.from({ length: 20 }, () => shown(servername))))]
}

async function untilShown(which: string): Promise<void> {
  await until(`${which} to be shown`, async () => (await shown()) === which)
}

describe("changes", () => {
  test("69: a tls section that comes later", async () => {
    await put(foo(), fooSecret(one))
    expect(await everywhere()).toEqual(["default"])
    await put(foo("foo.test=foo"), fooSecret(one))
    expect(await everywhere()).toEqual(["one"])
  })

  test("71: a Secret that comes later", async () => {
    await put(foo("foo.test=foo"))
    expect(await everywhere()).toEqual(["default"])
    await site.untilProblem("secret-missing")
    site.wick.write("secret.yaml", manifest(fooSecret(one)))
    await untilShown("one")
    expect(await everywhere()).toEqual(["one"])
  })

  test("72: another certificate in the Secret", async () => {
    site.wick.write("secret.yaml", manifest(fooSecret(two)))
    await untilShown("two")
    expect(await everywhere()).toEqual(["two"])
  })

  test("an unusable update keeps the certificate, deletion drops it", async () => {
    site.wick.write("secret.yaml", manifest(secret("demo/foo", { ...two.tlsData(), "tls.key": one.keyPem })))
    await site.untilProblem("secret-stale")
    expect(await everywhere()).toEqual(["two"])
    site.wick.remove("secret.yaml")
    await untilShown("default")
  })

  test("77: a Secret that nobody names is no reason for a pass", async () => {
    await put(foo("foo.test=foo"))
    site.wick.write("secret.yaml", manifest(fooSecret(one)))
    await untilShown("one")
    const passes = () => site.wick.metric("wick_pass_duration_seconds_count")
    const before = await until("quiet", async () => {
      const count = await passes()
      await letPass(1500, "a pass that is due begins")
      return count === (await passes()) && count
    })
    for (const data of [two.tlsData(), { "tls.crt": "x" }]) {
      site.wick.write("unused.yaml", manifest(secret("demo/unused", data)))
      await letPass(300, "a pass for this Secret begins, if there is one")
    }
    expect(await passes()).toBe(before)
    site.wick.write("secret.yaml", manifest(fooSecret(two)))
    await untilShown("two")
    for (const file of ["secret.yaml", "unused.yaml"]) site.wick.remove(file)
    expect(site.wick.log()).not.toContain("demo/unused")
  })
})

describe("which one", () => {
  test("74: the default one for a host that the certificate is not for", async () => {
    await put(hosts(["bar.test"], "bar.test=foo"), fooSecret(one))
    expect(await everywhere("bar.test")).toEqual(["default"])
    await site.untilProblem("certificate-for-others")
  })

  test("76: the default one when there is nothing usable in the Secret", async () => {
    await put(foo("foo.test=empty"), secret("demo/empty", { username: "x" }))
    await until("the reason", () => site.wick.log().includes("contains no keypair or CA certificate"))
    expect(await everywhere()).toEqual(["default"])
  })

  test("79: by its common name where it has no SAN", async () => {
    const plain = await root.issue({ cn: "Foo.test" })
    await put(foo("foo.test=foo"), fooSecret(plain))
    const [leaf] = await shownChain(site.wick.httpsPort, { servername: "foo.test" })
    expect(leaf?.equals(plain.der)).toBe(true)
  })

  test("81: by the name in capitals and with a dot at its end", async () => {
    await put(foo("foo.test=foo"), fooSecret(one))
    expect([await shown("FOO.test"), await shown("foo.test.")]).toEqual(["one", "one"])
  })

  test("82: the default one without a name, and for a name that nobody has", async () => {
    expect([await shown(""), await shown("nobody.test")]).toEqual(["default", "default"])
  })

  test("86: one that has run out, with a Problem", async () => {
    const old = await root.issue({ names: ["foo.test"], until: new Date(Date.now() - 1000) })
    await put(foo("foo.test=foo"), fooSecret(old))
    const [leaf] = await shownChain(site.wick.httpsPort, { servername: "foo.test" })
    expect(leaf?.equals(old.der)).toBe(true)
    await site.untilProblem("certificate-expiry")
  })

  test("a wildcard's for a host below it that has no tls section, for one label", async () => {
    one = await root.issue({ names: ["*.foo.test"] })
    const below = [ingress("demo/below", ["a.foo.test/ → a:80", "a.b.foo.test/ → a:80"])]
    await put(hosts(["*.foo.test"], "*.foo.test=foo"), ...below, fooSecret(one))
    expect(
      await Promise.all(["a.foo.test", "x.foo.test", "a.b.foo.test"].map((name) => shown(name))),
    ).toEqual(["one", "one", "default"])
  })

  test("the whole chain, in order whatever the Secret's is", async () => {
    const leaf = await between.issue({ names: ["foo.test"] })
    await put(
      foo("foo.test=foo"),
      secret("demo/foo", { "tls.crt": between.pem + leaf.pem, "tls.key": leaf.keyPem }),
    )
    const chain = await shownChain(site.wick.httpsPort, { servername: "foo.test" })
    expect(chain.map((der) => der.equals(leaf.der) || der.equals(between.der))).toEqual([true, true])
    expect(chain[0]?.equals(leaf.der)).toBe(true)
  })
})

test("RSA and ECDSA together: the client's abilities decide", async () => {
  const rsa = await root.issue({ names: ["foo.test"], key: "rsa" })
  const ec = await root.issue({ names: ["foo.test"] })
  await put(
    foo("foo.test=ec", "foo.test=rsa"),
    secret("demo/ec", ec.tlsData()),
    secret("demo/rsa", rsa.tlsData()),
  )
  const with12 = (ciphers: string) =>
    outcome(site.wick.httpsPort, { servername: "foo.test", maxVersion: "TLSv1.2", ciphers })
  for (const type of ["RSA", "ECDSA"])
    expect(await with12(`ECDHE-${type}-AES128-GCM-SHA256`)).toBe(`TLSv1.2 ECDHE-${type}-AES128-GCM-SHA256`)
  const [leaf] = await shownChain(site.wick.httpsPort, {
    servername: "foo.test",
    sigalgs: "rsa_pss_rsae_sha256",
  })
  expect(leaf?.equals(rsa.der)).toBe(true)
})

describe("plain HTTP", () => {
  const status = async (host: string) => (await site.get("/", { host })).status

  test("94: is redirected where a certificate is configured, its own or the default one", async () => {
    await put(
      hosts(["foo.test", "default.test", "plain.test"].slice(0, 2), "foo.test=foo", "default.test"),
      ingress("demo/plain", "plain.test/ → a:80"),
      fooSecret(two),
    )
    expect([await status("foo.test"), await status("default.test"), await status("plain.test")]).toEqual([
      308, 308, 200,
    ])
  })

  test("67: is not on an alias that the certificate is not for", async () => {
    const both = await root.issue({ names: ["foo.test", "in.test"] })
    const object = ingress("demo/hosts", "foo.test/ → a:80", { "server-alias": "in.test,out.test" })
    await put(withTls(object, "foo.test=foo"), fooSecret(both))
    expect([await status("foo.test"), await status("in.test"), await status("out.test")]).toEqual([
      308, 308, 200,
    ])
    const [leaf] = await shownChain(site.wick.httpsPort, { servername: "in.test" })
    expect(leaf?.equals(both.der)).toBe(true)
    expect(await shown("out.test")).toBe("default")
  })
})

describe("forms of Secrets that cannot be used", () => {
  const forms: Readonly<Record<string, () => Record<string, string>>> = {
    "no key": () => ({ "tls.crt": one.pem }),
    "the key of another": () => one.tlsData({ "tls.key": two.keyPem }),
    "no PEM": () => one.tlsData({ "tls.crt": "hello" }),
    "a certificate as key": () => one.tlsData({ "tls.key": one.pem }),
    // About as much as an API server takes, and manifests mode.
    "1 MB": () => one.tlsData({ "tls.crt": one.pem.repeat(1_000_000 / one.pem.length) }),
    "1,000 certificates": () => one.tlsData({ "tls.crt": one.pem.repeat(1000) }),
    "a password": () => one.tlsData({ "tls.key": locked(one) }),
    "a curve that no client takes": () => ({
      ...one.tlsData(),
      "tls.key": generateKeyPairSync("ec", { namedCurve: "secp256k1" })
        .privateKey.export({ type: "pkcs8", format: "pem" })
        .toString(),
    }),
  }

  test("each is a Problem of the Ingress and of the Secret, and hurts nobody else", async () => {
    const names = Object.keys(forms).map((_, at) => `form-${at}`)
    const bad = names.map((name) =>
      withTls(ingress(`demo/${name}`, `${name}.test/ → a:80`), `${name}.test=${name}`),
    )
    const secrets = Object.values(forms).map((form, at) => secret(`demo/form-${at}`, form()))
    await put(foo("foo.test=foo"), fooSecret(two), ...bad, ...secrets)
    expect(await everywhere()).toEqual(["two"])
    for (const name of names) {
      expect(await shown(`${name}.test`), name).toBe("default")
      expect(await until(`Problems of ${name}`, () => complaining(name)), name).toEqual(["Ingress", "Secret"])
    }
  })

  /** The kinds of the objects that have a Problem with this Secret, when there are two of them. */
  function complaining(name: string): string[] | undefined {
    const lines = site.wick.log().split("\n")
    const own = lines.filter((line) => line.includes(`demo/${name}`) && line.includes("secret-refused"))
    const kinds = own.map((line) => /"object":\{"kind":"(\w+)"/.exec(line)?.[1] ?? line).sort()
    return kinds.length >= 2 ? kinds : undefined
  }

  function locked({ key }: Identity): string {
    const options = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const
    return key.export(options).toString()
  }
})
