// What wick serves to its operator is no tenant's backend: not by addresses that he writes into a slice, nor by names.
import { networkInterfaces } from "node:os"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, ingressClass, type Json, manifest, service, slice } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { startWick, type Wick } from "../../harness/wick.ts"

let wick: Wick
beforeAll(async () => {
  wick = await startWick({ manifests: { "class.yaml": manifest(ingressClass) } })
})
afterAll(() => wick.stop())

const [own] = Object.values(networkInterfaces())
  .flat()
  .flatMap((it) => (it?.internal === false && it.family === "IPv4" ? [it.address] : []))

/** A Service whose only endpoint is an address of the tenant's choice. */
const leading = (name: string, address: string, port: number): readonly Json[] => [
  service(`cve/${name}`),
  slice(`cve/${name}`, [address], port),
  ingress(`cve/${name}`, `${name}.test/ → ${name}:80`),
]

/** @param part of a line about this slice */
const isSaid = (name: string, part: string) =>
  until("a Problem", () =>
    wick
      .log()
      .split("\n")
      .some((line) => line.includes(name) && line.includes(part)),
  )

test.each([
  { name: "loopback", address: "127.0.0.1" },
  ...(own === undefined ? [] : [{ name: "own", address: own }]),
])("health and metrics by a slice: $name", async ({ name, address }) => {
  wick.write(`${name}.yaml`, manifest(...leading(name, address, wick.healthPort)))
  await until(
    "it to be served",
    async () => (await wick.get("/metrics", { host: `${name}.test` })).status !== 404,
  )
  const { status, body } = await wick.get("/metrics", { host: `${name}.test` })
  expect([status, body.includes("nginx_ingress_controller")]).toEqual([503, false])
  await isSaid(`${name}-0`, `port ${wick.healthPort} of this machine is wick's own`)
})

test("metadata of a cloud", async () => {
  wick.write("cloud.yaml", manifest(...leading("cloud", "169.254.169.254", 80)))
  await until("it to be served", async () => (await wick.get("/", { host: "cloud.test" })).status === 503)
  await isSaid("cloud-0", "link-local addresses are not allowed")
})
