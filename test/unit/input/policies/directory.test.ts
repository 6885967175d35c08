// Modules below --policies: which files count, when, and what is said of the others.
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { PolicyDirectory } from "../../../../controller/input/policies/directory.ts"
import { digestOf } from "../../../../controller/input/policies/module.ts"
import { until } from "../../../../harness/until.ts"

let directory: string
let stop: AbortController
let changes: number

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "policies-"))
  stop = new AbortController()
  changes = 0
})

afterEach(async () => {
  stop.abort()
  await rm(directory, { recursive: true, force: true })
})

function open(): Promise<PolicyDirectory> {
  const changed = () => {
    changes += 1
  }
  return PolicyDirectory.open({ directory, changed, signal: stop.signal })
}

const write = (name: string, text: string) => writeFile(join(directory, name), text)
const digests = (policies: PolicyDirectory) =>
  [...policies.read().modules].map(([name, module]) => [name, module.digest])
const of = (text: string) => digestOf(Buffer.from(text))

test("what is there is read before anybody asks, with signatures; other files are of no interest", async () => {
  await write("one.wasm", "1")
  await write("one.wasm.sig", "signed")
  await write("README.md", "hello")
  await write(".hidden.wasm", "h")
  const policies = await open()
  expect(digests(policies)).toEqual([["one", of("1")]])
  const module = policies.read().modules.get("one")
  expect([module?.signature, String(await module?.read())]).toEqual(["signed", "1"])
  expect(policies.read().problems).toEqual([])
})

test("a file that is replaced, added or removed is noticed, and nothing else is a change", async () => {
  await write("one.wasm", "1")
  const policies = await open()
  const before = policies.read()
  await write("two.wasm", "2")
  await until("the second policy", () => digests(policies).length === 2)
  await write(".one", "1b")
  await rename(join(directory, ".one"), join(directory, "one.wasm"))
  await until("the other version", () => policies.read().modules.get("one")?.digest === of("1b"))
  await rm(join(directory, "two.wasm"))
  await until("the end of the second one", () => digests(policies).length === 1)
  expect(policies.read()).not.toBe(before)
  expect(changes).toBe(3)
})

test("a mounted ConfigMap keeps its versions behind links", async () => {
  await mkdir(join(directory, "..v1"))
  await writeFile(join(directory, "..v1/one.wasm"), "1")
  await symlink("..v1", join(directory, "..data"))
  await symlink("..data/one.wasm", join(directory, "one.wasm"))
  const policies = await open()
  expect(digests(policies)).toEqual([["one", of("1")]])
  await mkdir(join(directory, "..v2"))
  await writeFile(join(directory, "..v2/one.wasm"), "2")
  await symlink("..v2", join(directory, "..next"))
  await rename(join(directory, "..next"), join(directory, "..data"))
  await until("the next version", () => policies.read().modules.get("one")?.digest === of("2"))
})

test("links that lead out, pipes, bad names and files of 5 MiB are refused, each for itself", async () => {
  const outside = await mkdtemp(join(tmpdir(), "outside-"))
  await writeFile(join(outside, "secret"), "s")
  await symlink(join(outside, "secret"), join(directory, "link.wasm"))
  await write("Bad_Name.wasm", "b")
  await writeFile(join(directory, "large.wasm"), Buffer.alloc(5 * 1024 ** 2))
  await write("good.wasm", "g")
  const policies = await open()
  await rm(outside, { recursive: true })
  expect(digests(policies)).toEqual([["good", of("g")]])
  expect(policies.read().problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'policy-source-unusable: Cannot use "Bad_Name.wasm" as a balancing policy: call it NAME.wasm, with lower-case letters, digits and dashes in NAME',
    'policy-source-unusable: Cannot use "large.wasm" as a balancing policy: it is larger than 4 MiB',
    'policy-source-unusable: Cannot use "link.wasm" as a balancing policy: it is a link that leads out of the directory',
  ])
})

test("while the directory is gone, what was there stays", async () => {
  await write("one.wasm", "1")
  const policies = await open()
  await rename(directory, `${directory}-away`)
  await until("a Problem", () => policies.read().problems.length === 1)
  expect(digests(policies)).toEqual([["one", of("1")]])
  await rename(`${directory}-away`, directory)
  await until("its end", () => policies.read().problems.length === 0)
})

test("a directory that is not there at the start is said and waited for", async () => {
  await rm(directory, { recursive: true })
  const policies = await open()
  expect(policies.read().problems.map(({ message }) => message)).toEqual([
    `Cannot use the directory "${directory}" of --policies: ENOENT: no such file or directory`,
  ])
  await mkdir(directory)
  await chmod(directory, 0o755)
  await write("one.wasm", "1")
  await until("the policy", () => digests(policies).length === 1)
})
