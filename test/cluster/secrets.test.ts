// Secrets and ConfigMaps of a real API server: which are read, and when. What is asked is seen on the way, by a gate.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { grant } from "../../harness/cluster/rights.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ask } from "../../harness/http.ts"
import { ingress, ingressClass, secret, service, settings, withTls } from "../../harness/manifests.ts"
import { type Authority, rootAuthority } from "../../harness/pki.ts"
import { TlsClient } from "../../harness/tls-client.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { startGate } from "./support/gate.ts"

let server: ApiServer
let authority: Authority
beforeAll(async () => {
  server = await startApiServer()
  authority = await rootAuthority()
  await server.admin.apply(ingressClass)
})
afterAll(() => server.stop())

/** A Secret with a new certificate of this common name. */
async function certificate(name: string, cn: string) {
  const identity = await authority.issue({ cn, names: ["cart.test", "other.test", "swap.test"] })
  return { object: secret(name, identity.tlsData()), key: identity.keyPem }
}

/** The common name of the certificate that a handshake gets. */
async function shown(wick: Wick, servername: string): Promise<string> {
  await using client = await TlsClient.connect(wick.httpsPort, { servername })
  return String(client.socket.getPeerCertificate().subject.CN)
}

const untilShown = (wick: Wick, servername: string, cn: string) =>
  until(`the certificate of ${cn}`, async () => (await shown(wick, servername)) === cn)

/** Names and media types in what was asked about Secrets. */
function looking(asked: readonly { readonly url: URL; readonly accept: string }[]) {
  const about = asked.filter(({ url }) => url.pathname.endsWith("/secrets"))
  const nameIn = (url: URL) => /metadata\.name=([^,]+)/.exec(url.searchParams.get("fieldSelector") ?? "")?.[1]
  return {
    read: about.flatMap(({ url }) => nameIn(url) ?? []),
    watched: about.filter(({ url }) => nameIn(url) === undefined),
  }
}

describe("Secrets", () => {
  test("are read when they are named, again when they change, and never otherwise; nothing of them is in the log", async () => {
    const namespace = await server.namespace("secrets")
    const name = (name: string) => `${namespace}/${name}`
    await using gate = await startGate(server)
    const asked: { url: URL; accept: string }[] = []
    gate.refuse = ({ url = "", headers }) => {
      asked.push({ url: new URL(url, gate.url), accept: headers.accept ?? "" })
      return undefined
    }
    const [first, spare] = [
      await certificate(name("tls"), "first"),
      await certificate(name("spare"), "spare"),
    ]
    const release = { ...(await certificate(name("release"), "release")).object, type: "helm.sh/release.v1" }
    const cart = ingress(name("cart"), "cart.test/ → cart:80")
    await server.admin.apply(
      first.object,
      spare.object,
      release,
      service(name("cart")),
      withTls(cart, "cart.test=tls"),
    )
    await using wick = await startWickIn(server, { via: gate.url, flags: ["--v=5", "--sync-rate-limit=100"] })
    expect(await shown(wick, "cart.test")).toBe("first")

    await server.admin.apply((await certificate(name("tls"), "renewed")).object)
    await untilShown(wick, "cart.test", "renewed")
    await server.admin.delete("Secret", name("tls"))
    await until(
      "the default certificate",
      async () => !["first", "renewed"].includes(await shown(wick, "cart.test")),
    )
    await server.admin.apply((await certificate(name("tls"), "again")).object)
    await untilShown(wick, "cart.test", "again")
    expect(looking(asked).read).toEqual(["tls", "tls", "tls"])

    for (const [time, cn] of ["second", "third", "last"].entries())
      await server.admin.apply((await certificate(name(time < 2 ? "spare" : `spare-${time}`), cn)).object)
    const other = ingress(name("other"), "other.test/ → cart:80")
    await server.admin.apply(withTls(other, "other.test=spare"))
    await untilShown(wick, "other.test", "third")
    await server.admin.apply(withTls(other, "other.test=release"))
    await until("the Problem", () => wick.log().includes("secret-missing"))
    const { read, watched } = looking(asked)
    // Once more, if its last change is told after it was read.
    expect([read.slice(0, 3), new Set(read.slice(3))]).toEqual([["tls", "tls", "tls"], new Set(["spare"])])
    expect(watched.length).toBeGreaterThan(0)
    for (const { url, accept } of watched) {
      expect(accept).toMatch(/^application\/json;as=PartialObjectMetadata/)
      expect(url.searchParams.get("fieldSelector")).toBe("type!=helm.sh/release.v1")
    }
    for (const { key } of [first, spare]) {
      const [, line = ""] = key.split("\n")
      expect(wick.log()).not.toContain(line)
      expect(wick.log()).not.toContain(Buffer.from(key).toString("base64").slice(60, 120))
    }
  })
})

test("an Ingress that names one Secret after the other never shows the default certificate", async () => {
  const namespace = await server.namespace("swaps")
  const certificates = await Promise.all(
    Array.from({ length: 12 }, (_, index) => certificate(`${namespace}/tls-${index}`, `cn-${index}`)),
  )
  const swap = ingress(`${namespace}/swap`, "swap.test/ → web:80")
  const naming = (index: number) => withTls(swap, `swap.test=tls-${index}`)
  await server.admin.apply(
    ...certificates.map(({ object }) => object),
    service(`${namespace}/web`),
    naming(0),
  )
  await using wick = await startWickIn(server)
  const seen = new Set<string>()
  const look = async () => {
    for (let last = ""; last !== "cn-11"; seen.add(last)) last = await shown(wick, "swap.test")
  }
  const change = async () => {
    for (const index of certificates.keys()) {
      // passes come one after the other all the while
      const more = ingress(`${namespace}/more-${index}`, `more-${index}.test/ → web:80`)
      await server.admin.apply(naming(index), more)
      await until(`certificate ${index}`, () => seen.has(`cn-${index}`))
    }
  }
  await Promise.all([look(), change()])
  expect([...seen]).toEqual([...certificates.keys()].map((index) => `cn-${index}`))
  const lines = wick.log().split("\n")
  expect(lines.filter((line) => line.includes("secret-missing") && line.includes(namespace))).toEqual([])
})

describe("with --watch-namespace and Roles for nothing else", () => {
  test("what flags name in another namespace is read, and followed", async () => {
    const [own, shop] = [await server.namespace("own"), await server.namespace("shop")]
    await using pods = await startPods("one")
    const { kubeconfig } = await grant(server, own, { file: "rbac-namespaced.yaml", watched: shop })
    const cart = ingress(`${shop}/cart`, `cart.test/ → cart:${podPort}`, {
      "kubernetes.io/ingress.class": "nginx",
    })
    await server.admin.apply(
      settings(`${own}/wick`, { "ssl-redirect": "false" }),
      (await certificate(`${own}/default-tls`, "default")).object,
      service(`${own}/wick`),
      service(`${shop}/cart`, podPort),
      sliceOf(`${shop}/cart`, pods),
      withTls(cart, "cart.test"),
    )
    const flags = ["watch-namespace", "configmap", "default-ssl-certificate", "publish-service"]
    const values = [shop, `${own}/wick`, `${own}/default-tls`, `${own}/wick`]
    await using wick = await startWickIn(server, {
      kubeconfig,
      pod: `${own}/wick-0`,
      flags: ["--sync-rate-limit=100", ...flags.map((flag, index) => `--${flag}=${values[index]}`)],
    })
    const status = async () => (await ask({ port: wick.port }, { host: "cart.test" })).status
    expect([await status(), await shown(wick, "cart.test")]).toEqual([200, "default"])
    await server.admin.apply(settings(`${own}/wick`, { "ssl-redirect": "true" }))
    await until("a redirect", async () => (await status()) === 308)
    await server.admin.apply((await certificate(`${own}/default-tls`, "renewed")).object)
    await untilShown(wick, "cart.test", "renewed")
  })
})
