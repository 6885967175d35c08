// A directory of manifests with all that would stop a reader that trusts it.
import { execFileSync } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../../harness/manifests.ts"
import { isRunning, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick } from "../../../harness/wick.ts"

test("links to everywhere, pipes, and files that are deep or full: changes of others and SIGTERM are answered", async () => {
  await using backends = await startBackends("one")
  const objects = (path: string) =>
    manifest(
      ingressClass,
      ...serviceOn("shop/web", [backends[0]?.port ?? 0]),
      ingress("shop/web", `shop.test/${path} → web:80`),
    )
  await using wick = await startWick({ manifests: { "all.yaml": objects("first") } })
  const at = (name: string) => join(wick.manifestsDir, name)
  symlinkSync("/", at("root"))
  symlinkSync(".", at("circle"))
  symlinkSync("/dev/zero", at("zero.yaml"))
  execFileSync("mkfifo", [at("pipe.yaml")])
  for (const [name, text] of [
    ["deep.yaml", "[".repeat(100_000)],
    ["deeper.yaml", `${"- ".repeat(100_000)}a`],
    ["full.yaml", Array.from({ length: 1_000_000 }, (_, i) => `k${i}: 1\n`).join("")],
  ] as const)
    writeFileSync(at(name), text)

  for (const path of ["second", "third"]) {
    wick.write("all.yaml", objects(path))
    await until(path, async () => (await wick.get(`/${path}`, { host: "shop.test" })).body === "one")
  }
  for (const name of ["root", "zero.yaml", "pipe.yaml", "deep.yaml", "deeper.yaml", "full.yaml"]) {
    const words = [`Cannot read ${name}:`, `at ${name}:`]
    await until(`the Problem of ${name}`, () => words.some((start) => wick.log().includes(start)))
  }

  // the parser compares each key with all before it
  const pairs = Array.from({ length: 100_000 }, (_, i) => `- k${i}: 1\n`).join("")
  writeFileSync(at("busy.yaml"), `%YAML 1.1\n---\n!!omap\n${pairs}`)
  wick.write("all.yaml", objects("fourth"))
  await until("fourth", async () => (await wick.get("/fourth", { host: "shop.test" })).body === "one")
  const { pid } = wick
  const isRead = () => wick.log().includes("at busy.yaml:")
  const before = isRead()
  signal(pid, "SIGTERM")
  await until("the end", () => !isRunning(pid))
  // It did not wait for the parser.
  expect(isRead()).toBe(before)
})
