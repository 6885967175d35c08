import { expect, test } from "vitest"
import type { ShownCertificate } from "../../../../controller/model/observed.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"
import { readDetails } from "../../../../controller/report/observe/certificate-details.ts"
import { Metrics } from "../../../../controller/report/observe/metrics.ts"
import { type Family, printFamilies, printLabels } from "../../../../controller/report/observe/series.ts"
import { selfSignedIdentity } from "../../../../harness/pki.ts"

async function printed(pages: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await inParts(pages)).toString()
}

async function inParts(pages: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const page of pages) all.push(page)
  return all
}

test("series are printed as Prometheus reads them, and a family without any is not there", async () => {
  const families: Family[] = [
    { name: "a", help: "One", series: [[printLabels({ path: '/"\\\n', empty: "" }), 1.5]] },
    { name: "b", help: "Two", series: [] },
  ]
  expect(await printed(printFamilies(families))).toBe(
    '# HELP a One\n# TYPE a gauge\na{path="/\\"\\\\\\n",empty=""} 1.5\n',
  )
})

test("many series come in parts, each once", async () => {
  const series = Array.from({ length: 5000 }, (_, at) => [printLabels({ host: `${at}.test` }), at] as const)
  const pages = await inParts(printFamilies([{ name: "a", help: "One", series }]))
  expect(pages.length).toBeGreaterThan(1)
  const lines = Buffer.concat(pages).toString().trimEnd().split("\n")
  expect(lines.length).toBe(5000 + 2)
  expect(lines.at(-1)).toBe('a{host="4999.test"} 4999')
})

const identity = { controllerClass: "k8s.io/ingress-nginx", namespace: "ingress", pod: "wick-0" }
const build = { release: "", build: "", repository: "" }

test("certificates have the labels of ingress-nginx, and only the leader tells when they end", async () => {
  const own = await selfSignedIdentity({ names: ["own.test"] })
  const fake = await selfSignedIdentity({ names: ["fake.test"], key: "rsa" })
  const certificate = { id: "own", chain: [own.der.toString("base64")], key: new SecretText("") }
  const certificates: ShownCertificate[] = [
    { host: "own.test", secret: "shop/own", certificate },
    { host: "_" },
  ]
  const metrics = new Metrics(identity, build, true)
  let isLeader = false
  metrics.sources.certificates = { initial: readDetails(fake.pem), isLeader: () => isLeader }
  metrics.inForce({ certificates: () => certificates, sources: () => [], ports: () => [] })
  const { serial, notAfterSeconds } = readDetails(own.pem)
  const common = `class="k8s.io/ingress-nginx",host="own.test",namespace="shop",secret_name="own",identifier="-${serial}"`
  const ends = `nginx_ingress_controller_ssl_expire_time_seconds{${common}} ${notAfterSeconds}\n`
  const before = await printed(metrics.pages("text"))
  expect(before).not.toContain("expire_time")
  expect(before).toMatch(
    new RegExp(
      `certificate_info\\{${common},issuer_organization="[^"]*",issuer_common_name="[^"]+",serial_number="${serial}",public_key_algorithm="ECDSA"\\} 1\n`,
    ),
  )
  expect(before).toMatch(/host="_",namespace="",secret_name="",.*public_key_algorithm="RSA"/)
  isLeader = true
  expect(await printed(metrics.pages("text"))).toContain(ends)
})

test("an Ingress without a Service, or without an endpoint, is an orphan", async () => {
  const metrics = new Metrics(identity, build, true)
  const sources = [
    {
      source: { kind: "Ingress", namespace: "shop", name: "cart" },
      lacksService: true,
      lacksEndpoint: false,
    },
  ]
  metrics.inForce({ certificates: () => [], sources: () => sources, ports: () => [] })
  const text = await printed(metrics.pages("text"))
  const labels =
    'controller_class="k8s.io/ingress-nginx",controller_namespace="ingress",controller_pod="wick-0",namespace="shop",ingress="cart"'
  expect(text).toContain(`nginx_ingress_controller_orphan_ingress{${labels},type="no-service"} 1\n`)
  expect(text).toContain(`nginx_ingress_controller_orphan_ingress{${labels},type="no-endpoint"} 0\n`)
  metrics.inForce({ certificates: () => [], sources: () => [], ports: () => [] })
  expect(await printed(metrics.pages("text"))).toBe("")
})

test("a port says which Services it leads to, by server name where there are some", async () => {
  const metrics = new Metrics(identity, build, true)
  const db = { namespace: "shop", service: "db", servicePort: "5432", backend: "tcp:shop/db:5432" }
  const ports = [
    { protocol: "tcp" as const, port: 5432, serverName: "", ...db },
    { protocol: "tcp" as const, port: 443, serverName: "*.shop.test", ...db },
  ]
  metrics.inForce({ certificates: () => [], sources: () => [], ports: () => ports })
  const text = await printed(metrics.pages("text"))
  const infos = text.split("\n").filter((line) => line.startsWith("wick_stream_info{"))
  expect(infos.map((line) => line.replace(/.*controller_pod="[^"]*",/, ""))).toMatchInlineSnapshot(`
    [
      "protocol="tcp",namespace="shop",service="db",backend="tcp:shop/db:5432",address="",port="5432",server_name="",service_port="5432"} 1",
      "protocol="tcp",namespace="shop",service="db",backend="tcp:shop/db:5432",address="",port="443",server_name="*.shop.test",service_port="5432"} 1",
    ]
  `)
})
