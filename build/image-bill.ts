// image-bill.ts ROOT: prints the bill of materials (CycloneDX 1.6) of the image whose files are in ROOT: Debian's packages as its own list has them,
// what the controller runs with, the crates in the modules and in the launcher, and the OWASP Core Rule Set. The same files give the same bill.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { billOf, type Component, crates, npmPackages } from "./third-party.ts"

/** One of Debian's. Its licences are in the image: /usr/share/doc/NAME/copyright. */
interface DebianPackage {
  readonly type: "library"
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
  /** https://github.com/package-url/purl-spec */
  readonly purl: string
}

/** Source: deb822(5), /var/lib/dpkg/status. */
export function debianPackages(status: string, distribution: string): DebianPackage[] {
  const field = (paragraph: string, name: string) =>
    new RegExp(`^${name}: (.*)$`, "m").exec(paragraph)?.[1] ?? ""
  return status
    .split("\n\n")
    .filter((paragraph) => field(paragraph, "Status") === "install ok installed")
    .map((paragraph) => {
      const name = field(paragraph, "Package")
      const version = field(paragraph, "Version")
      const arch = field(paragraph, "Architecture")
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=${distribution}`
      return { type: "library", "bom-ref": purl, name, version, purl } as const
    })
    .sort((a, b) => (a.purl < b.purl ? -1 : 1))
}

/** Node is no dependency of the controller's, but what runs it. */
function node(): Component {
  const version = /^NODE_VERSION=(.*)$/m.exec(read(join(import.meta.dirname, "versions.env")))?.[1] ?? ""
  return {
    name: "node",
    version,
    license: "MIT",
    purl: `pkg:generic/node@${version}`,
    hash: undefined,
    folder: "",
  }
}

/** The OWASP Core Rule Set in each version that the image has; its licence lies beside it. */
export function coreRuleSets(folder: string): Component[] {
  const versions = existsSync(folder)
    ? readdirSync(folder).flatMap((name) => /^crs-(.+)$/.exec(name)?.[1] ?? [])
    : []
  return versions.toSorted().map((version) => ({
    name: "github.com/corazawaf/coraza-coreruleset/v4",
    version: `v${version}`,
    license: "Apache-2.0",
    purl: `pkg:golang/github.com/corazawaf/coraza-coreruleset/v4@v${version}`,
    hash: undefined,
    folder: join(folder, `crs-${version}`),
  }))
}

function read(path: string): string {
  return readFileSync(path, "utf8")
}

if (import.meta.main) {
  const [root = ""] = process.argv.slice(2)
  const all = [
    ...crates(),
    ...crates("launcher", ["wick-launcher"]),
    ...npmPackages(),
    node(),
    ...coreRuleSets(join(root, "etc/wick/modsecurity")),
  ]
  const once = [...new Map(all.map((component) => [component.purl, component])).values()]
  const debian = /^VERSION_ID="?(\d+)/m.exec(read(join(root, "usr/lib/os-release")))?.[1] ?? ""
  const packages = debianPackages(read(join(root, "var/lib/dpkg/status")), `debian-${debian}`)
  const bill = billOf("wick", once) as { components: object[] }
  const components = [...bill.components, ...packages]
  process.stdout.write(`${JSON.stringify({ ...bill, components }, undefined, 2)}\n`)
}
