// Metrics of what Ingresses refer to: certificates of hosts, and Services that cannot be reached.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, secret, withTls } from "../../../harness/manifests.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { type Labels, matching, type Sample, scrape, untilSum } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let one: Identity
let two: Identity

beforeAll(async () => {
  const root = await rootAuthority({ organization: "Test Trust", cn: "Test Root" })
  const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000)
  one = await root.issue({ names: ["foo.test"], serial: "0a", until: soon })
  two = await root.issue({ names: ["foo.test"], serial: "0b", key: "rsa" })
  site = await Site.start(["a"])
})
afterAll(() => site[Symbol.asyncDispose]())

const put = (...objects: readonly Json[]) => site.put(...site.service("a", "a"), ...objects)
const secure = withTls(ingress("demo/foo", "foo.test/ → a:80"), "foo.test=foo")
const foo = { host: "foo.test" }

/** Until a scrape says so: metrics follow a moment after the pass. */
async function untilSeries(name: string, labels: Labels, isSo: (found: readonly Sample[]) => boolean) {
  return until(`${name} of ${JSON.stringify(labels)}`, async () => {
    const found = matching(await scrape(site.wick), name, labels)
    return isSo(found) && found
  })
}

test("the certificate of a host is told with its end, follows the Secret, and goes with the host", async () => {
  await put(secure, secret("demo/foo", one.tlsData()))
  const [end] = await untilSeries("ssl_expire_time_seconds", foo, (found) => found.length === 1)
  expect(end).toMatchObject({
    value: one.certificate.validToDate.getTime() / 1000,
    labels: { namespace: "demo", secret_name: "foo", identifier: "-10", class: "k8s.io/ingress-nginx" },
  })
  const [info] = await untilSeries("ssl_certificate_info", foo, (found) => found.length === 1)
  expect(info?.labels).toEqual({
    ...end?.labels,
    issuer_organization: "Test Trust",
    issuer_common_name: "Test Root",
    serial_number: "10",
    public_key_algorithm: "ECDSA",
  })
  await put(secure, secret("demo/foo", two.tlsData()))
  await untilSeries("ssl_certificate_info", foo, (found) => {
    return found.length === 1 && found[0]?.labels.serial_number === "11"
  })
  await put(ingress("demo/foo", "foo.test/ → a:80"))
  await untilSeries("ssl_expire_time_seconds", foo, (found) => found.length === 0)
  await untilSeries("ssl_certificate_info", foo, (found) => found.length === 0)
})

test("a host whose Secret is missing shows the certificate of everybody else", async () => {
  await put(secure)
  const [info] = await untilSeries("ssl_certificate_info", foo, (found) => found.length === 1)
  expect(info?.labels).toMatchObject({
    namespace: "",
    secret_name: "",
    issuer_organization: "Acme Co",
    issuer_common_name: "Kubernetes Ingress Controller Fake Certificate",
  })
  await untilSeries("ssl_certificate_info", { host: "_" }, (found) => found.length === 1)
})

test("an Ingress whose Service is missing or empty is an orphan until that is over, or it is gone", async () => {
  const orphan = (type: string, wanted: number) =>
    untilSum(site.wick, "orphan_ingress", { namespace: "demo", ingress: "lost", type }, wanted)
  const lost = ingress("demo/lost", "lost.test/ → b:80")
  await put(lost)
  await orphan("no-service", 1)
  await orphan("no-endpoint", 0)
  await put(lost, ...site.service("b"))
  await orphan("no-endpoint", 1)
  await orphan("no-service", 0)
  await put(lost, ...site.service("b", "a"))
  await orphan("no-endpoint", 0)
  await put()
  await untilSeries("orphan_ingress", { ingress: "lost" }, (found) => found.length === 0)
})
