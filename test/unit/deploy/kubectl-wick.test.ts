// The plugin of kubectl, with a stand-in for kubectl that says what it was asked.
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { topics } from "../../../cli/commands/commands.ts"
import { ingress, listOf } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"

const folder = mkdtempSync(join(tmpdir(), "kubectl-wick-"))
afterAll(() => rmSync(folder, { recursive: true }))

const kubectl = script(
  "kubectl",
  `case "$1 $2" in
  "get pods") echo "wick-a wick-b" ;;
  "get lease") [ "$3" != ingress-nginx-leader ] || echo wick-b ;;
  "exec -i") until [ -s '${join(folder, "tunnel")}' ]; do sleep 0.01; done; echo "$@" ;;
  "port-forward "*) echo "$@" >'${join(folder, "tunnel")}'; exec sleep 600 ;;
  "get ingresses"*) cat '${join(folder, "cluster.json")}' ;;
  *) echo "$@" ;;
esac`,
)
const wick = script("wick", `exec '${nodeBinary}' '${join(root, "controller/main.ts")}' "$@"`)
writeFileSync(join(folder, "cluster.json"), listOf([ingress("shop/cart", "cart.test/ → cart:80")]))

function script(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}

function plugin(...args: readonly string[]) {
  return pluginIn({}, ...args)
}

function pluginIn(more: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const env = { ...process.env, KUBECTL: kubectl, WICK: wick, ...more }
  const { stdout, stderr, status } = spawnSync(join(root, "deploy/kubectl-wick"), args, {
    env,
    encoding: "utf8",
  })
  return { said: stdout.trim(), complaint: stderr.trim(), status }
}

test.each(topics["What runs"] ?? [])("knows $name", ({ name }) => {
  expect(plugin(name, "--help")).toMatchObject({ complaint: "", status: 0 })
})

test("commands are asked in the first running Pod", () => {
  const wanted = "exec -n ingress-nginx -c controller wick-a -- wick explain https://shop.test/cart --json"
  expect(plugin("explain", "--", "https://shop.test/cart", "--json").said).toBe(wanted)
  expect(plugin("routes", "-n", "edge", "--pod", "mine", "shop.test").said).toBe(
    "exec -n edge -c controller mine -- wick routes shop.test",
  )
})

test("what is wrong is asked of the replica that leads, codes and versions of any", () => {
  expect(plugin("problems", "-n", "edge", "--pod", "mine", "--", "--severity", "error").said).toBe(
    "exec -n edge -c controller mine -- wick problems --severity error",
  )
  expect(plugin("problems").said).toBe("exec -n ingress-nginx -c controller wick-b -- wick problems")
  expect(plugin("problem", "path-taken").said).toBe(
    "exec -n ingress-nginx -c controller wick-a -- wick problem path-taken",
  )
  expect(plugin("version").said).toBe("exec -n ingress-nginx -c controller wick-a -- wick version")
})

test("help asks nobody", () => {
  const nobody = { KUBECTL: "false" }
  expect(pluginIn(nobody, "lint", "--help").said).toMatch(/^Usage: wick lint \[DIR\]/)
  expect(pluginIn(nobody, "routes", "-n", "edge", "--", "-h").said).toMatch(/^Usage: wick routes/)
  expect(pluginIn(nobody, "ui", "--help").said).toContain("kubectl wick explain")
  expect(pluginIn({ ...nobody, WICK: "no-such-wick" }, "routes", "--help")).toMatchObject({
    status: 0,
    said: expect.stringContaining("kubectl wick explain"),
  })
})

test("top gets a terminal where there is one", () => {
  const wanted = "-n ingress-nginx -c controller wick-a -- wick top endpoints"
  expect(plugin("top", "endpoints").said).toBe(`exec ${wanted}`)
  const line = `${join(root, "deploy/kubectl-wick")} top endpoints`
  const env = { ...process.env, KUBECTL: kubectl, SHELL: "/bin/sh" }
  const { stdout } = spawnSync("script", ["-qefc", line, "/dev/null"], { env, encoding: "utf8" })
  expect(stdout.trim()).toBe(`exec -it ${wanted}`)
})

test("the page is served in the Pod, a tunnel leads there, and both end together", () => {
  expect(plugin("ui", "-n", "edge", "--", "8080").said).toBe(
    "exec -i -n edge -c controller wick-a -- wick ui --port 8080",
  )
  expect(readFileSync(join(folder, "tunnel"), "utf8")).toBe("port-forward -n edge wick-a 8080:8080\n")
  expect(plugin("ui").said).toContain("--port 10290")
  expect(plugin("ui", "--", "x")).toMatchObject({
    status: 1,
    complaint: "kubectl-wick: ui takes a port, not x",
  })
})

test("logs are those of the leader", () => {
  expect(plugin("logs", "--", "--tail=5").said).toBe("logs -n ingress-nginx -c controller wick-b --tail=5")
})

test("lint reads the cluster with the rights of who asks, and ends as wick lint does", () => {
  const { said, status } = plugin("lint")
  expect(said).toMatch(/^1 of 1 Ingress serve as before\./)
  expect(status).toBe(0)
})

test("diff and convert read it in the same way", () => {
  const { said } = plugin("diff", "--", "10.0.0.1", "10.0.0.2", "--dry-run")
  expect(said).toContain("GET http://cart.test/  (prefix path of shop/cart)")
  expect(plugin("convert", "--", "--gateway-class=other").said).toContain("kind: HTTPRoute")
})

test("mistakes are said", () => {
  expect(plugin("dance")).toMatchObject({
    status: 1,
    complaint: "kubectl-wick: there is no command dance: kubectl wick --help lists them",
  })
  for (const [written, meant] of [
    ["route", "routes"],
    ["problemz", "problems"],
    ["lints", "lint"],
  ] as const)
    expect(plugin(written).complaint).toContain(`no command ${written}, did you mean ${meant}:`)
  expect(plugin("routes", "-n")).toMatchObject({
    status: 1,
    complaint: expect.stringContaining("needs a value"),
  })
  expect(plugin("--help").said).toContain("kubectl wick explain")
})

test("any shell reads it", () => {
  execFileSync("sh", ["-n", join(root, "deploy/kubectl-wick")])
})
