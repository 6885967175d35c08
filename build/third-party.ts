// What others wrote and an artifact contains: `build/node build/third-party.ts` writes a bill of materials per artifact (CycloneDX 1.6) and the
// notices with all licence texts into out/third-party. From the lock files alone: what is only there to build or to test is not in it.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "..")

/** One piece of software of others. */
export interface Component {
  readonly name: string
  readonly version: string
  /** SPDX expression. */
  readonly license: string
  /** https://github.com/package-url/purl-spec */
  readonly purl: string
  /** SHA-256 or SHA-512 of what the registry serves, in hex. */
  readonly hash: { readonly alg: "SHA-256" | "SHA-512"; readonly content: string } | undefined
  readonly folder: string
}

/** What may be in an artifact without asking. `OR`: one of them suffices. */
export const allowedLicenses = [
  "Apache-2.0",
  "Apache-2.0 WITH LLVM-exception",
  "MIT",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "0BSD",
  "Zlib",
  "Unlicense",
  "PSF-2.0",
]

export function isAllowed(license: string): boolean {
  const choices = license.replaceAll(/[()]/g, "").split(/ OR | ?\/ ?/)
  return choices.some((choice) => choice.split(" AND ").every((one) => allowedLicenses.includes(one)))
}

interface Metadata {
  readonly packages: readonly {
    readonly id: string
    readonly name: string
    readonly version: string
    readonly license: string | null
    readonly source: string | null
    readonly manifest_path: string
    readonly targets: readonly { readonly kind: readonly string[] }[]
  }[]
  readonly resolve: {
    readonly nodes: readonly {
      readonly id: string
      readonly deps: readonly {
        readonly pkg: string
        readonly dep_kinds: readonly { readonly kind: string | null }[]
      }[]
    }[]
  }
}

/** The crates of others that are linked into ours: both modules, or what else a workspace makes. */
export function crates(workspace = "nginx", ours = ["wick-wasm", "wick-ingress"]): Component[] {
  const arguments_ = [
    "metadata",
    "--locked",
    "--format-version=1",
    "--filter-platform=x86_64-unknown-linux-gnu",
  ]
  const metadata = JSON.parse(
    execFileSync("cargo", arguments_, {
      cwd: join(root, workspace),
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as Metadata
  const packages = new Map(metadata.packages.map((one) => [one.id, one]))
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]))
  const linked = new Set<string>()
  const visit = (id: string) => {
    if (linked.has(id) || packages.get(id)?.targets.some(({ kind }) => kind.includes("proc-macro"))) return
    linked.add(id)
    for (const { pkg, dep_kinds } of nodes.get(id)?.deps ?? []) {
      if (dep_kinds.some(({ kind }) => kind === null)) visit(pkg)
    }
  }
  for (const { id, name } of metadata.packages) if (ours.includes(name)) visit(id)
  const checksums = checksumsOf(readFileSync(join(root, workspace, "Cargo.lock"), "utf8"))
  return metadata.packages
    .filter(({ id, source }) => linked.has(id) && source !== null)
    .map(({ name, version, license, manifest_path }) => {
      const content = checksums.get(`${name} ${version}`)
      return {
        name,
        version,
        license: license ?? "unknown",
        purl: `pkg:cargo/${name}@${version}`,
        hash: content === undefined ? undefined : ({ alg: "SHA-256", content } as const),
        folder: dirname(manifest_path),
      }
    })
    .sort(byName)
}

function checksumsOf(lock: string): Map<string, string> {
  const all = lock.matchAll(/name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"/g)
  return new Map([...all].map(([, name, version, checksum]) => [`${name} ${version}`, checksum ?? ""]))
}

interface Lock {
  readonly packages: Record<
    string,
    {
      readonly version: string
      readonly license?: string
      readonly integrity?: string
      readonly dev?: boolean
      readonly optional?: boolean
      readonly link?: boolean
    }
  >
}

/** The packages that the controller runs with. */
export function npmPackages(): Component[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional }]) => path !== "" && dev !== true && optional !== true)
    .map(([path, { version, license, integrity }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
      const sha512 = integrity?.startsWith("sha512-")
        ? Buffer.from(integrity.slice(7), "base64").toString("hex")
        : undefined
      return {
        name,
        version,
        license: license ?? "unknown",
        purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
        hash: sha512 === undefined ? undefined : ({ alg: "SHA-512", content: sha512 } as const),
        folder: join(root, path),
      }
    })
    .sort(byName)
}

const byName = (a: Component, b: Component) => (a.purl < b.purl ? -1 : 1)

/** Names that are there in more than one version. */
export function duplicates(components: readonly Component[]): string[] {
  const names = components.map(({ name }) => name)
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].toSorted()
}

/** A bill of materials, the same for the same lock files. */
export function billOf(artifact: string, components: readonly Component[]): object {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        name: artifact,
        version,
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    },
    components: components.map(({ name, version, license, purl, hash }) => ({
      type: "library",
      "bom-ref": purl,
      name,
      version,
      purl,
      licenses: [{ expression: license.replaceAll(/ ?\/ ?/g, " OR ") }],
      ...(hash === undefined ? {} : { hashes: [hash] }),
    })),
  }
}

/** Who wrote it, under which licence, and the texts that came with it. */
export function noticeOf({ name, version, license, folder }: Component): string {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|unlicense)/i.test(file))
    : []
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim())
  return [`${name} ${version}`, `Licence: ${license}`, ...texts].join("\n\n")
}

if (import.meta.main) {
  const folder = join(root, "out/third-party")
  mkdirSync(folder, { recursive: true })
  const artifacts = { "nginx-modules": crates(), controller: npmPackages() }
  for (const [artifact, components] of Object.entries(artifacts)) {
    writeFileSync(
      join(folder, `${artifact}.cdx.json`),
      `${JSON.stringify(billOf(artifact, components), undefined, 2)}\n`,
    )
    const line = `\n\n${"-".repeat(80)}\n\n`
    writeFileSync(join(folder, `${artifact}.NOTICES.txt`), `${components.map(noticeOf).join(line)}\n`)
    process.stdout.write(`${artifact}: ${components.length} components of others\n`)
  }
}
