// A certificate from an ACME server by HTTP-01, with cert-manager played by the test.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { handshake } from "../../support/agents.ts"
import { type ClassBy, pathOf, Solver } from "../../support/cert-manager.ts"
import { Site } from "./site.ts"

const challenge = {
  host: "foo.test",
  token: "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0",
  key: "LoqX.thumb-print",
}
const forced = { "force-ssl-redirect": "true" }

let site: Site
let solver: Solver
beforeAll(async () => {
  site = await Site.start(["a"])
  solver = await Solver.start(challenge)
})
afterAll(async () => {
  await solver[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})
afterEach(() => site.expectOnlyPosts())

const put = (...objects: readonly Json[]) => site.put(...site.service("a", "a"), ...objects)
const shop = (annotations: Readonly<Record<string, string>> = {}, day = 1) =>
  ingress("demo/shop", ["foo.test/ → a:80", "foo.test/.well-known → a:80"], annotations, day)

/** What the ACME server reads. */
async function ask(path = pathOf(challenge)): Promise<string> {
  const { status, body } = await site.get(path)
  return `${status} ${status === 200 ? body : ""}`.trim()
}

describe("a challenge is answered by HTTP, though the host is redirected", () => {
  test.each<ClassBy>(["ingressClassName", "annotation"])("class by %s", async (classBy) => {
    await put(shop(forced))
    expect(await ask()).toBe("308")
    await put(shop(forced), ...solver.service(), solver.ingress(classBy))
    expect(await ask()).toBe(`200 ${challenge.key}`)
    expect(await ask("/")).toBe("308")
    await put(shop(forced))
    expect(await ask()).toBe("308")
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ["has patterns for paths", { ...forced, "use-regex": "true" }],
    ["rewrites", { ...forced, "rewrite-target": "/x/$1", "use-regex": "true" }],
    ["is redirected elsewhere", { "permanent-redirect": "http://elsewhere.test" }],
    ["asks for certificates of clients", { ...forced, "auth-tls-secret": "demo/ca" }],
    ["asks for credentials that nobody can check yet", { ...forced, "auth-type": "basic" }],
  ])("also if its Ingress %s", async (_, annotations) => {
    const ca = secret("demo/ca", { "ca.crt": (await rootAuthority()).pem })
    await put(ca, shop(annotations), ...solver.service(), solver.ingress())
    expect(await ask()).toBe(`200 ${challenge.key}`)
  })

  test("also if the Ingress of the challenge is the only one of the host", async () => {
    await put(...solver.service(), solver.ingress())
    expect(await ask()).toBe(`200 ${challenge.key}`)
    expect(await ask("/")).toBe("404")
  })

  test("and by no other token", async () => {
    await put(shop(forced), ...solver.service(), solver.ingress())
    expect(await ask(`${pathOf(challenge)}x`)).toBe("308")
    expect((await site.get(pathOf(challenge), { host: "bar.test" })).status).toBe(404)
  })
})

test("edit in place: the path comes into the Ingress that is there, and goes again", async () => {
  const edited = (isEdited: boolean): Json => {
    const { spec, ...rest } = shop({ ...forced, "acme.cert-manager.io/http01-edit-in-place": "true" }) as {
      spec: { rules: { http: { paths: Json[] } }[] }
    }
    const [rule] = spec.rules
    if (isEdited) rule?.http.paths.push(solver.path())
    return { ...rest, spec }
  }
  await put(edited(false), ...solver.service())
  expect(await ask()).toBe("308")
  await put(edited(true), ...solver.service())
  expect(await ask()).toBe(`200 ${challenge.key}`)
  expect(await ask("/")).toBe("308")
  await put(edited(false))
  expect(await ask()).toBe("308")
})

describe("a certificate's way into the handshake", () => {
  const withTls = (): Json => {
    const issued = {
      "cert-manager.io/cluster-issuer": "letsencrypt",
      "cert-manager.io/issue-temporary-certificate": "true",
    }
    const { spec, ...rest } = shop(issued) as { spec: Json }
    return { ...rest, spec: { ...spec, tls: [{ hosts: [challenge.host], secretName: "shop-tls" }] } }
  }
  const issuedSecret = (certificate: Identity) => {
    const { metadata, ...rest } = secret("demo/shop-tls", certificate.tlsData({ "ca.crt": "" })) as {
      metadata: Json
    }
    const annotations = {
      "cert-manager.io/certificate-name": "shop-tls",
      "cert-manager.io/issuer-kind": "ClusterIssuer",
    }
    return { ...rest, type: "kubernetes.io/tls", metadata: { ...metadata, annotations } }
  }

  /** What a dozen clients see: all workers' certificates. */
  async function shown(): Promise<string[]> {
    const port = site.wick.httpsPort
    const see = () => handshake(port, { servername: challenge.host })
    const seen = await Promise.all(Array.from({ length: 12 }, see))
    return [...new Set(seen.map(({ certificate }) => certificate.fingerprint256))]
  }
  const printOf = ({ certificate }: Identity) => [certificate.fingerprint256]

  test("the Secret that is awaited, a temporary one, the challenge, the real one, its renewal", async () => {
    const temporary = await (await rootAuthority({ cn: "cert-manager.local" })).issue({
      names: [challenge.host],
      serial: "499602d2",
    })
    const ca = await (await rootAuthority()).intermediate()
    const [real, renewed] = await Promise.all([1, 2].map(() => ca.issue({ names: [challenge.host] })))
    if (real === undefined || renewed === undefined) throw new Error("nothing was issued")

    await put(withTls())
    expect(
      (await handshake(site.wick.httpsPort, { servername: challenge.host })).certificate.subject.CN,
    ).toBe("Kubernetes Ingress Controller Fake Certificate")
    await put(withTls(), issuedSecret(temporary))
    expect(await shown()).toEqual(printOf(temporary))
    expect(await ask("/")).toBe("308")

    await put(withTls(), issuedSecret(temporary), ...solver.service(), solver.ingress())
    expect(await ask()).toBe(`200 ${challenge.key}`)
    expect(await ask("/")).toBe("308")

    await put(withTls(), issuedSecret(real))
    expect(await shown()).toEqual(printOf(real))
    await put(withTls(), issuedSecret(renewed))
    expect(await shown()).toEqual(printOf(renewed))
  })
})

test("nothing of cert-manager's is called wrong", async () => {
  await put(shop(forced), ...solver.service(), solver.ingress())
  await put(shop(forced))
  const warnings = site.wick.log().match(/^.*"level":"(warn|error)".*$/gm) ?? []
  expect(warnings.filter((line) => line.includes("cm-acme-http-solver"))).toEqual([])
})
