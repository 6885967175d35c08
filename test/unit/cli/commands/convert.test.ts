import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { ingress, type Json, manifest } from "../../../../harness/manifests.ts"
import { runSubCommand } from "../../../support/sub-command.ts"

const root = mkdtempSync(join(tmpdir(), "wick-convert-"))
afterAll(() => rmSync(root, { recursive: true }))

function directoryOf(name: string, ...objects: readonly Json[]): string {
  const directory = join(root, name)
  mkdirSync(directory)
  writeFileSync(join(directory, "a.yaml"), manifest(...objects))
  return directory
}

const run = (...args: readonly string[]) => runSubCommand("convert", ...args)

const plain = ingress("shop/plain", "plain.test/ → plain:80")
const limited = ingress("shop/limited", "limited.test/ → plain:80", { "limit-rps": "5" })
const guarded = ingress("shop/guarded", "guarded.test/ → plain:80", { "auth-url": "https://auth.test/" })

test("YAML for kubectl, with what has no equivalent in front", async () => {
  const { said, exitCode } = await run(directoryOf("partly", plain, limited), "--gateway-class=other")
  expect(said).toMatch(
    /^# 2 of 2 Ingresses converted, 1 remark\.\n# Ingress shop\/limited .*limit-rps.*\[left-out\]\n---\n/,
  )
  expect(parseAllDocuments(said).map((it) => (it.toJS() as Json).kind)).toEqual([
    "Gateway",
    "HTTPRoute",
    "HTTPRoute",
  ])
  expect(exitCode).toBe(2)
})

test("everything has its equivalent", async () => {
  const { exitCode } = await run(directoryOf("whole", plain), "--gateway-class=other", "--gateway=edge/main")
  expect(exitCode).toBe(0)
})

test("what would be open to everybody is closed, unless that is wanted", async () => {
  const directory = directoryOf("open", plain, guarded)
  const { said, exitCode } = await run(directory, "--gateway-class=other")
  expect(said).toContain("# Closed, as it would be open to everybody (--allow-open): Ingress shop/guarded\n")
  expect(parseAllDocuments(said).map((it) => (it.toJS() as Json).spec)).toContainEqual(
    expect.objectContaining({ hostnames: ["guarded.test"], rules: [{ matches: [expect.anything()] }] }),
  )
  expect(exitCode).toBe(3)
  const { said: json, exitCode: other } = await run(
    directory,
    "--gateway-class=other",
    "--allow-open",
    "--json",
  )
  expect(JSON.parse(json)).toMatchObject({
    closed: [],
    objects: expect.arrayContaining([
      expect.objectContaining({ metadata: { namespace: "shop", name: "guarded" } }),
    ]),
  })
  expect(other).toBe(4)
})

/** What a directory has, and what has to be said of it. */
test.each([
  [
    "no YAML",
    "kind: Ingress\n  metadata: [",
    /^# 0 of 0 Ingresses converted, 1 remark\.\n# File a\.yaml .*\[unread\]/,
  ],
  [
    "an older version",
    "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: { name: old, namespace: shop }",
    /^# 0 of 1 Ingress converted, 1 remark\.\n# Ingress shop\/old apiVersion: .*has to be networking\.k8s\.io\/v1.*\[unread\]/,
  ],
  [
    "a port in quotes",
    manifest(plain).replace("number: 80", 'number: "80"'),
    /^# 1 of 1 Ingress converted, 1 remark\.\n# Ingress shop\/plain spec\.rules\[0\].*port\.number: .*\[unread\]/,
  ],
])("%s is named with its reason", async (name, text, head) => {
  const directory = join(root, name.replaceAll(" ", "-"))
  mkdirSync(directory)
  writeFileSync(join(directory, "a.yaml"), text)
  const { said, exitCode } = await run(directory, "--gateway-class=other")
  expect(said).toMatch(head)
  expect(exitCode).toBe(2)
})

test("Ingresses of other controllers are named", async () => {
  const own = ingress("shop/foreign", "foreign.test/ → plain:80")
  const foreign = { ...own, spec: { ...(own.spec as Json), ingressClassName: "other" } }
  const { said, exitCode } = await run(directoryOf("foreign", plain, foreign), "--gateway-class=other")
  expect(said).toContain("# Not converted, as it is another controller's: Ingress shop/foreign\n")
  expect(exitCode).toBe(0)
})

test("a value cannot end a comment", async () => {
  const odd = ingress("shop/odd", "odd.test/ → plain:80", { "limit-rps": "5\n---\nkind: Secret" })
  const { said } = await run(directoryOf("odd", odd), "--gateway-class=other")
  expect(parseAllDocuments(said).map((it) => (it.toJS() as Json).kind)).toEqual(["Gateway", "HTTPRoute"])
})

test.each([
  ["objects", ["--gateway-class=other"], "either a directory or --kubeconfig FILE"],
  ["a class", [root], "--gateway-class NAME"],
  ["a Gateway with a namespace", [root, "--gateway=main", "--gateway-class=other"], "NAMESPACE/NAME"],
])("it needs %s", async (_, args, sentence) => expect((await run(...args)).failure).toContain(sentence))
