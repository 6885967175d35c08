import { accessSync, constants, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { coreRuleSets, coreRules } from "../../../harness/modsecurity.ts"
import { root } from "../../../harness/paths.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const versions: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  [...read("build/versions.env").matchAll(/^(\w+)=(.+)$/gm)].map((line) => [line[1], line[2]]),
)
/** By the Debian release that has it. */
const nginxVersions = new Map(
  (versions.NGINX_VERSIONS ?? "")
    .replaceAll('"', "")
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
)
const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>

describe("build/versions.env agrees with", () => {
  test("each processor's Node package", () => {
    const nodes = Object.entries(manifest.optionalDependencies ?? {}).filter(([name]) =>
      name.startsWith("node-linux-"),
    )
    expect(nodes.map(([, version]) => version)).toEqual(nodes.map(() => versions.NODE_VERSION))
    expect(nodes.length).toBeGreaterThan(0)
  })

  test("the Node that npx asks for, and the program that it runs", () => {
    expect(manifest.engines?.node).toBe(`>=${versions.NODE_VERSION?.split(".")[0]}`)
    accessSync(join(root, manifest.bin?.wick ?? ""), constants.X_OK)
  })

  test("the Node that runs this", () => {
    expect(process.versions.node).toBe(versions.NODE_VERSION)
  })

  test("the AssemblyScript compiler and its loader", () => {
    expect(manifest.devDependencies?.assemblyscript).toBe(versions.ASC_VERSION)
    expect(manifest.devDependencies?.["@assemblyscript/loader"]).toBe(versions.ASC_VERSION)
  })

  test("the Rust version of the workspace", () => {
    expect(/^rust-version = "(.+)"$/m.exec(read("nginx/Cargo.toml"))?.[1]).toBe(versions.RUST_VERSION)
  })

  test("the nginx that was unpacked: that of this machine's release, or the first one", () => {
    const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? ""
    const version = nginxVersions.get(release) ?? [...nginxVersions.values()][0]
    const unpacked = /#define NGINX_VERSION +"(.+)"/.exec(read("out/nginx-src/src/core/nginx.h"))?.[1]
    // A branch stands for each of its versions.
    expect(`${unpacked}.`.startsWith(`${version}.`), `${unpacked} is ${version}`).toBe(true)
  })

  test("the images that the Dockerfile begins with", () => {
    const images = new Map(
      [...read("Dockerfile").matchAll(/^ARG (\w+)=(\w+:.+)$/gm)].map((line) => [line[1], line[2]]),
    )
    const [node = ""] = (versions.NODE_VERSION ?? "").split(".")
    const release = images.get("DEBIAN")?.replace(/^debian:(.+)-slim$/, "$1") ?? ""
    expect([...nginxVersions.keys()]).toContain(release)
    expect(images.get("NODE")).toBe(`node:${node}-${release}-slim`)
    expect(images.get("RUST")).toBe(`rust:${versions.RUST_VERSION}-slim-${release}`)
  })

  test("what the Helm chart installs, unless told otherwise: this version", () => {
    const chart = parse(read("deploy/chart/Chart.yaml")) as Readonly<Record<string, string>>
    expect([chart.version, chart.appVersion]).toEqual([manifest.version, manifest.version])
  })

  test("the Rust version of the launcher", () => {
    expect(/^rust-version = "(.+)"$/m.exec(read("launcher/Cargo.toml"))?.[1]).toBe(versions.RUST_VERSION)
  })

  test("the conformance tests of the Gateway API, whose definitions they are for", () => {
    const pinned = read("test/conformance/suite/go.mod")
    for (const module of ["sigs.k8s.io/gateway-api", "sigs.k8s.io/gateway-api/conformance"])
      expect(pinned).toContain(`${module} ${versions.GATEWAY_API_VERSION}`)
  })

  test("the OWASP Core Rule Set, the default first, and what was made of it", () => {
    const pinned = (versions.CRS_VERSIONS ?? "").replaceAll('"', "").split(" ")
    expect(pinned.map((one) => one.split("=")[0])).toEqual(coreRuleSets)
    for (const version of coreRuleSets)
      expect(readFileSync(join(dirname(coreRules(version)), "crs-setup.conf"), "utf8")).toContain(
        `OWASP CRS ver.${version}`,
      )
  })

  test("what README.md says of nginx", () => {
    for (const [release, version] of nginxVersions) {
      expect(read("README.md"), release).toContain(`${version} (Debian `)
    }
  })
})
