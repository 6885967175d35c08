// What a release says of itself, and that whoever has the public key can tell whether it is so.
import { execFileSync } from "node:child_process"
import { generateKeyPairSync, verify } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { preAuthentication, subjectsIn } from "../../../build/release/provenance.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-provenance-"))
afterAll(() => rmSync(dir, { recursive: true }))

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const sums = `${"a".repeat(64)}  wick-1.0.0.tgz\n${"b".repeat(64)}  wick-1.0.0-amd64.oci.tar\n`
const read = (name: string) => readFileSync(join(dir, name), "utf8")

writeFileSync(join(dir, "SHA256SUMS"), sums)
writeFileSync(join(dir, "key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }))
writeFileSync(join(dir, "key.pub"), publicKey.export({ type: "spki", format: "pem" }))
const program = join(root, "build/release/provenance.ts")
execFileSync(nodeBinary, [program, dir, "1.0.0", "c0ffee", join(dir, "key.pem")])

test("every file of the release is a subject, with the commit and the versions that it was made from", () => {
  expect(JSON.parse(read("provenance.json"))).toMatchObject({
    subject: [
      { name: "wick-1.0.0.tgz", digest: { sha256: "a".repeat(64) } },
      { name: "wick-1.0.0-amd64.oci.tar", digest: { sha256: "b".repeat(64) } },
    ],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        externalParameters: { version: "1.0.0" },
        internalParameters: { NODE_VERSION: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
        resolvedDependencies: [{ digest: { gitCommit: "c0ffee" } }],
      },
    },
  })
})

test("the envelope is signed, and another text is not", () => {
  const { payload, signatures } = JSON.parse(read("provenance.intoto.json"))
  const text = Buffer.from(payload, "base64").toString()
  expect(`${text}\n`).toBe(read("provenance.json"))
  const isSigned = (signed: string) =>
    verify("sha256", preAuthentication(signed), publicKey, Buffer.from(signatures[0].sig, "base64"))
  expect(isSigned(text)).toBe(true)
  expect(isSigned(text.replace("wick-1.0.0.tgz", "wick-1.0.1.tgz"))).toBe(false)
})

test("openssl says so of the checksums, as docs/release.md has it", () => {
  writeFileSync(join(dir, "signature"), Buffer.from(read("SHA256SUMS.sig"), "base64"))
  const check = () =>
    execFileSync(
      "openssl",
      ["dgst", "-sha256", "-verify", "key.pub", "-signature", "signature", "SHA256SUMS"],
      {
        ...{ cwd: dir, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
      },
    )
  expect(check()).toContain("Verified OK")
  writeFileSync(join(dir, "SHA256SUMS"), sums.replace("a", "c"))
  expect(check).toThrow()
})

test("a line that is no checksum is refused", () =>
  expect(() => subjectsIn("abc  file\n")).toThrow("Not a line"))
