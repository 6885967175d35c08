// What is in the image, and what the world is told about that.
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"

const image = join(root, "out/image/slim")
const files = realpathSync(image)
const { config } = JSON.parse(readFileSync(`${image}.json`, "utf8"))

test("no compiler, no npm, no lists of apt", () => {
  const programs = ["usr/bin", "usr/sbin", "usr/local/bin"].flatMap((dir) => readdirSync(join(image, dir)))
  expect(
    programs.filter((name) => /^(gcc|cc|c\+\+|g\+\+|ld|as|make|npm|npx|cargo|rustc|curl|wget)$/.test(name)),
  ).toEqual([])
  expect(readdirSync(join(image, "var/lib/apt/lists"))).toEqual([])
  expect(existsSync(join(image, "usr/local/lib/wick/node_modules/typescript"))).toBe(false)
})

test("two files carry the right to low ports, none another", () => {
  const found = execFileSync("getcap", ["-r", files], { encoding: "utf8" }).trim().split("\n")
  expect(found.map((line) => line.replace(files, "")).sort()).toEqual([
    "/nginx-ingress-controller cap_net_bind_service=ep",
    "/usr/bin/dumb-init cap_net_bind_service=ep",
  ])
})

test("the chart's Jobs start without any capability", () => {
  const nobody = ["setpriv", "--reuid=65532", "--regid=65532", "--clear-groups"]
  const bare = [...nobody, "--no-new-privs", "--bounding-set=-all", "/kube-webhook-certgen", "create"]
  const { stderr } = spawnSync("chroot", [files, ...bare], { encoding: "utf8" })
  expect(stderr).toContain("create needs --host=HOSTS")
})

test("the page is there, with the libraries that it imports", () => {
  const wick = join(image, "usr/local/lib/wick")
  const wanted = [
    ...["index.html", "login.html", "main.js", "style.css", "icon.svg"].map((file) => `ui/page/${file}`),
    ...["preact/dist/preact.mjs", "preact/hooks/dist/hooks.mjs", "htm/dist/htm.mjs"].map(inPackages),
    ...["uplot/dist/uPlot.esm.js", "uplot/dist/uPlot.min.css"].map(inPackages),
  ]
  expect(wanted.filter((file) => !existsSync(join(wick, file)))).toEqual([])
})

const inPackages = (file: string) => `node_modules/${file}`

test("labels say what it is, and of which commit", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  expect(config.Labels).toMatchObject({
    "org.opencontainers.image.title": "wick",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": "Apache-2.0",
    "org.opencontainers.image.revision": expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  expect(config).toMatchObject({ User: "101:82", Entrypoint: ["/usr/bin/dumb-init", "--"] })
})

test("the bill of materials has everything that was installed", () => {
  const { components } = JSON.parse(readFileSync(`${image}.cdx.json`, "utf8"))
  const names = new Set(components.map(({ purl }: { purl: string }) => purl.replace(/@[^@]*$/, "")))
  expect(names.size).toBeGreaterThan(200)
  for (const one of [
    "pkg:deb/debian/nginx",
    "pkg:generic/node",
    "pkg:cargo/wasmtime",
    "pkg:cargo/rustix",
    "pkg:npm/liquidjs",
  ])
    expect(names).toContain(one)
  const folder = join(image, "usr/local/lib/wick/node_modules")
  const installed = readdirSync(folder).filter((name) => !name.startsWith(".") && !name.startsWith("@"))
  expect(installed.filter((name) => !names.has(`pkg:npm/${name}`))).toEqual([])
})

test("unpacked it has at most 300 MB", () => {
  const kilobytes = execFileSync("du", ["-s", "--apparent-size", "-k", files], { encoding: "utf8" })
  expect(Number.parseInt(kilobytes, 10)).toBeLessThan(300_000)
  expect(statSync(join(image, "usr/local/lib/wick/node")).size).toBeLessThan(115e6)
})
