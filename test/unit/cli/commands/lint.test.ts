import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, expect, test } from "vitest"
import { ingress, manifest, settings } from "../../../../harness/manifests.ts"
import { runSubCommand } from "../../../support/sub-command.ts"

const root = mkdtempSync(join(tmpdir(), "wick-lint-"))
afterAll(() => rmSync(root, { recursive: true }))

/** @param files name → text */
function directoryOf(name: string, files: Readonly<Record<string, string>>): string {
  const directory = join(root, name)
  mkdirSync(directory)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text)
  return directory
}

const run = (...args: readonly string[]) => runSubCommand("lint", ...args)

const plain = ingress("shop/plain", "plain.test/ → plain:80")
const odd = ingress("shop/odd", "odd.test/ → plain:80", { "proxy-read-timeout": "0" })
const closed = ingress("shop/closed", "closed.test/ → plain:80", { "whitelist-source-range": "" })

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "edge", name: "ingress-nginx-controller" },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: "controller",
            args: ["/nginx-ingress-controller", "--configmap=$(POD_NAMESPACE)/old", "--invented=1"],
          },
        ],
      },
    },
  },
}

test("who decides reads the first line, and CI the exit code", async () => {
  const { said, exitCode } = await run(directoryOf("same", { "a.yaml": manifest(plain) }))
  expect(said).toMatch(/^1 of 1 Ingress serve as before\.\n/)
  expect(exitCode).toBe(0)
  expect((await run(directoryOf("different", { "a.yaml": manifest(plain, odd) }))).exitCode).toBe(2)
  expect((await run(directoryOf("closed", { "a.yaml": manifest(odd, closed) }))).exitCode).toBe(3)
})

test("the old controller's flags are those of its Deployment, and its ConfigMap is the one that they name", async () => {
  const old = settings("edge/old", { "whitelist-source-range": "nobody" })
  const directory = directoryOf("deployment", { "a.yaml": manifest(plain, deployment, old) })
  const report = JSON.parse((await run(directory, "--format=json")).said)
  expect(report.readFrom).toBe("Deployment edge/ingress-nginx-controller")
  expect(report.everyone.map(({ now }: { now: string }) => now)).toEqual([
    'Key "whitelist-source-range" cannot be used, so the paths that it is for get 503: for "nobody" write an IP address or a network such as 10.0.0.0/8',
  ])
  expect(report.controller.map(({ rule }: { rule: string }) => rule)).toEqual(["flag-refused"])
})

test("Helm values stand for both", async () => {
  const values =
    "controller:\n  ingressClass: edge\n  ingressClassResource: {name: edge}\n  config: {location-snippet: access_by_lua_file /x;}\n"
  const edge = { ...plain, spec: { ...(plain.spec as object), ingressClassName: "edge" } }
  const directory = directoryOf("values", { "a.yaml": manifest(edge) })
  writeFileSync(join(root, "values-file.yaml"), values)
  const report = JSON.parse(
    (await run(directory, "--json", `--values=${join(root, "values-file.yaml")}`)).said,
  )
  expect(report.summary).toMatchObject({ ingresses: 1, others: 0, sameByThemselves: 1 })
  expect(report.everyone.map(({ rule }: { rule: string }) => rule)).toEqual(["configmap-snippets"])
})

test("two controllers have to be told apart", async () => {
  const second = { ...deployment, metadata: { namespace: "inside", name: "ingress-nginx-controller" } }
  const directory = directoryOf("two", { "a.yaml": manifest(plain, deployment, second) })
  expect((await run(directory)).failure).toContain("--controller NAMESPACE/NAME")
  expect((await run(directory, "--controller=inside/ingress-nginx-controller")).failure).toBeUndefined()
})

test("code scanning gets rules, and places in files", async () => {
  const directory = directoryOf("sarif", {
    "plain.yaml": manifest(plain),
    "50% of b.yaml": manifest(plain, odd),
  })
  const { runs } = JSON.parse((await run(directory, "--format", "sarif")).said)
  const [{ tool, results }] = runs
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toContain("timeout-below-second")
  const result = results.find(({ ruleId }: { ruleId: string }) => ruleId === "timeout-below-second")
  const artifactLocation = { uri: `${pathToFileURL(directory).href}/50%25%20of%20b.yaml` }
  expect(result).toMatchObject({
    level: "warning",
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: 21 } } }],
  })
})

test("a directory of the checkout is named as it was given", async () => {
  const directory = directoryOf("checkout", { "a.yaml": manifest(odd) })
  const { said } = await run(relative(".", directory), "--format", "sarif")
  const [{ results }] = JSON.parse(said).runs
  const [{ physicalLocation }] = results[0].locations
  expect(physicalLocation.artifactLocation.uri).toBe(`${relative(".", directory)}/a.yaml`)
})

test("what cannot be read is said, and is not as before", async () => {
  const directory = directoryOf("damaged", { "a.yaml": `${manifest(plain)}---\nkind: [\n` })
  const { said, exitCode } = await run(directory)
  expect(said).toContain("Not read")
  expect(exitCode).toBe(2)
})

test("it needs objects", async () => {
  expect((await run()).failure).toContain("either a directory or --kubeconfig FILE")
  expect((await run(join(root, "nowhere"))).failure).toContain("it is no directory")
  expect((await run(root, "--format=xml")).failure).toContain("write text or json or sarif")
})
