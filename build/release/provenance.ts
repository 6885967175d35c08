// Who made the files of a release, from what: an in-toto statement with SLSA's provenance (https://slsa.dev/spec/v1.0/provenance), in an envelope
// (DSSE) that a key signs. provenance.ts FOLDER VERSION COMMIT [KEY]: about all that FOLDER/SHA256SUMS lists, into FOLDER/provenance.json and,
// with the PEM of a private key, FOLDER/provenance.intoto.json and FOLDER/SHA256SUMS.sig.
import { createPrivateKey, type KeyObject, sign } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { project } from "./krew.ts"

const payloadType = "application/vnd.in-toto+json"
const root = join(import.meta.dirname, "../..")

export interface Subject {
  readonly name: string
  readonly digest: { readonly sha256: string }
}

/** Lines as sha256sum writes them. */
export function subjectsIn(sums: string): Subject[] {
  return sums
    .trim()
    .split("\n")
    .map((line) => {
      const [, sha256, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
      if (sha256 === undefined || name === undefined) throw new Error(`Not a line of SHA256SUMS: ${line}`)
      return { name, digest: { sha256 } }
    })
}

/** @param versions text of build/versions.env */
export function statement(subjects: readonly Subject[], version: string, commit: string, versions: string) {
  const repository = `git+${project}`
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/main/docs/release.md`,
        externalParameters: { version, repository, ref: `refs/tags/v${version}` },
        internalParameters: Object.fromEntries(assignments(versions)),
        resolvedDependencies: [{ uri: `${repository}@refs/tags/v${version}`, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `${repository}/blob/main/build/release.sh` } },
    },
  }
}

function assignments(text: string): (readonly [string, string])[] {
  return [...text.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)].map(([, name = "", value = ""]) => [name, value])
}

/** https://github.com/secure-systems-lab/dsse */
export function envelope(payload: string, key: KeyObject) {
  const sig = sign("sha256", preAuthentication(payload), key).toString("base64")
  return { payload: Buffer.from(payload).toString("base64"), payloadType, signatures: [{ sig }] }
}

/** What is signed: the type goes with the text, so that neither can be taken for another. */
export function preAuthentication(payload: string): Buffer {
  const bytes = Buffer.from(payload)
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `
  return Buffer.concat([Buffer.from(head), bytes])
}

/** As `cosign sign-blob --key` and `openssl dgst -sha256 -sign` do; keys of P-256. */
export function signatureOf(bytes: Uint8Array, key: KeyObject): string {
  return `${sign("sha256", bytes, key).toString("base64")}\n`
}

if (import.meta.main) {
  const [folder = "", version = "", commit = "", keyFile] = process.argv.slice(2)
  const sums = readFileSync(join(folder, "SHA256SUMS"))
  const versions = readFileSync(join(root, "build/versions.env"), "utf8")
  const text = JSON.stringify(statement(subjectsIn(sums.toString()), version, commit, versions))
  writeFileSync(join(folder, "provenance.json"), `${text}\n`)
  if (keyFile !== undefined) {
    const key = createPrivateKey(readFileSync(keyFile))
    writeFileSync(join(folder, "provenance.intoto.json"), `${JSON.stringify(envelope(text, key))}\n`)
    writeFileSync(join(folder, "SHA256SUMS.sig"), signatureOf(sums, key))
  }
}
