// The admission webhook beside a directory of manifests: whoever keeps those can ask before a file is written.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, ingressClass, type Json, manifest } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const uid = "0b2f4a3c-1d5e-4f60-8a7b-9c0d1e2f3a4b"
const folder = mkdtempSync(join(tmpdir(), "wick-admission-"))
let wick: Wick
let port: number
let ca: string

beforeAll(async () => {
  ;[port = 0] = await freePorts(1)
  const authority = await rootAuthority()
  ca = authority.pem
  const flags = [
    `--validating-webhook=127.0.0.1:${port}`,
    `--validating-webhook-certificate=${join(folder, "cert")}`,
    `--validating-webhook-key=${join(folder, "key")}`,
  ]
  const shop = manifest(ingressClass, ingress("shop/web", "shop.test/ → web:80"))
  wick = await startWick({ manifests: { "shop.yaml": shop }, flags })
  const { pem, keyPem } = await authority.issue({ names: ["localhost"] })
  writeFileSync(join(folder, "cert"), pem)
  writeFileSync(join(folder, "key"), keyPem)
})
afterAll(async () => {
  await wick?.stop()
  rmSync(folder, { recursive: true })
})

/** Why an Ingress would be refused; "" when it would not. */
function refusal(object: Json): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const body = JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "r",
      kind: { group: "networking.k8s.io", version: "v1", kind: "Ingress" },
      operation: "CREATE",
      object: { ...object, metadata: { ...(object.metadata as Json), uid } },
    },
  })
  const asking = request({
    host: "127.0.0.1",
    servername: "localhost",
    port,
    ca,
    method: "POST",
    agent: false,
  })
  asking.on("error", reject)
  asking.on("response", async (response) => {
    let text = ""
    for await (const piece of response.setEncoding("utf8")) text += piece
    resolve(JSON.parse(text).response.status?.message ?? "")
  })
  asking.end(body)
  return promise
}

test("a certificate that comes later is used, and what files say counts from the next question on", async () => {
  const blog = ingress("blog/web", "blog.test/ → web:80")
  const other = ingress("other/web", "blog.test/ → web:80")
  await until("somebody to answer", () =>
    refusal(blog).then(
      () => true,
      () => false,
    ),
  )
  expect(await refusal(blog)).toBe("")
  expect(await refusal(ingress("other/web", "shop.test/ → web:80"))).toContain(
    "already defined in ingress shop/web",
  )
  wick.write("blog.yaml", manifest(blog))
  await until("the file to count", async () => (await refusal(other)) !== "")
  wick.remove("blog.yaml")
  await until("it to count no longer", async () => (await refusal(other)) === "")
})
