// Certificates that are renewed under a running webhook: only pairs that fit are taken.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { CertificateFiles, type Pair } from "../../../controller/admission/certificate-files.ts"
import { selfSignedIdentity } from "../../../harness/pki.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wick-admission-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function pair(name: string): Promise<Pair> {
  const { pem: cert, keyPem: key } = await selfSignedIdentity({ names: [name] })
  return { cert, key }
}

function files() {
  const taken: Pair[] = []
  const said: object[] = []
  const watched = new CertificateFiles({
    certificate: join(folder, "cert"),
    key: join(folder, "key"),
    changed: (pair) => taken.push(pair),
    log: { info: () => {}, warn: (fields: object | string) => said.push(Object(fields)) },
  })
  return { look: () => watched.look(), taken, said }
}

test("what is missing is waited for, and said once", async () => {
  const { look, taken, said } = files()
  await look()
  await look()
  const first = await pair("one.test")
  writeFileSync(join(folder, "cert"), first.cert)
  await look()
  expect([taken, said.length]).toEqual([[], 1])
  writeFileSync(join(folder, "key"), first.key)
  await look()
  expect(taken).toEqual([first])
})

test("half of a new pair leaves the old one in use, until the other half is there", async () => {
  const { look, taken, said } = files()
  const [first, second] = [await pair("one.test"), await pair("two.test")]
  writeFileSync(join(folder, "cert"), first.cert)
  writeFileSync(join(folder, "key"), first.key)
  await look()
  writeFileSync(join(folder, "cert"), second.cert.slice(0, 100))
  await look()
  writeFileSync(join(folder, "cert"), second.cert)
  await look()
  expect([taken.length, said.length]).toEqual([1, 2])
  writeFileSync(join(folder, "key"), second.key)
  await look()
  expect(taken).toEqual([first, second])
})

test("a mounted Secret that is renewed as the kubelet does it is noticed", async () => {
  const { look, taken } = files()
  const versions = [await pair("one.test"), await pair("two.test")]
  for (const [at, { cert, key }] of versions.entries()) {
    mkdirSync(join(folder, `..version-${at}`))
    writeFileSync(join(folder, `..version-${at}/cert`), cert)
    writeFileSync(join(folder, `..version-${at}/key`), key)
  }
  symlinkSync("..version-0", join(folder, "..data"))
  symlinkSync("..data/cert", join(folder, "cert"))
  symlinkSync("..data/key", join(folder, "key"))
  await look()
  symlinkSync("..version-1", join(folder, "..data_tmp"))
  renameSync(join(folder, "..data_tmp"), join(folder, "..data"))
  await look()
  expect(taken).toEqual(versions)
})

test("the same pair, written again, is no news", async () => {
  const { look, taken } = files()
  const first = await pair("one.test")
  for (let round = 0; round < 3; round += 1) {
    writeFileSync(join(folder, "cert"), first.cert)
    writeFileSync(join(folder, "key"), first.key)
    await look()
  }
  expect(taken).toHaveLength(1)
})

test("what is broken again after it was put right is said again", async () => {
  const { look, said } = files()
  const first = await pair("one.test")
  const write = (key: string) => writeFileSync(join(folder, "key"), key)
  writeFileSync(join(folder, "cert"), first.cert)
  for (const key of [first.key, "none", first.key, "none"]) {
    write(key)
    await look()
  }
  expect(said).toHaveLength(2)
})
