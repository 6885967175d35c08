// The image as a file (OCI image layout in a tar), which is the same wherever and whenever it is made from the same files: entries in order, one
// time for all of them, owners by number, and no name of the machine. archive.ts ROOT CONFIG FILE NAME: of the files below ROOT, with what
// build/image.sh says that they run (CONFIG), as NAME. SOURCE_DATE_EPOCH is the time. Prints the digest by which registries name it.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** Of https://github.com/opencontainers/image-spec */
interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export interface ImageConfig {
  readonly Env?: readonly string[]
  readonly Labels?: Readonly<Record<string, string>>
  readonly [key: string]: unknown
}

export interface Wanted {
  /** folder with the files */
  readonly root: string
  readonly config: ImageConfig
  /** the archive that is written */
  readonly file: string
  readonly name: string
  /** seconds since 1970 */
  readonly epoch: number
  /** `amd64` */
  readonly architecture: string
}

/** @returns the digest of the manifest, `sha256:…` */
export function writeArchive({ root, config, file, name, epoch, architecture }: Wanted): string {
  const layout = mkdtempSync(join(dirname(resolve(file)), "oci-"))
  mkdirSync(join(layout, "blobs/sha256"), { recursive: true })
  const { layer, diffId } = writeLayer(layout, root, epoch)
  const created = new Date(epoch * 1000).toISOString()
  const image = {
    ...{ created, architecture, os: "linux", config: withoutBuilder(config) },
    rootfs: { type: "layers", diff_ids: [diffId] },
    history: [{ created, created_by: "build/release/archive.ts" }],
  }
  const manifest = {
    ...{ schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json" },
    config: writeJson(layout, "application/vnd.oci.image.config.v1+json", image),
    layers: [layer],
  }
  const descriptor = writeJson(layout, manifest.mediaType, manifest)
  const annotations = { "org.opencontainers.image.ref.name": name }
  write(layout, "oci-layout", { imageLayoutVersion: "1.0.0" })
  write(layout, "index.json", { schemaVersion: 2, manifests: [{ ...descriptor, annotations }] })
  tar(layout, `${file}.part`, epoch)
  renameSync(`${file}.part`, file)
  rmSync(layout, { recursive: true })
  return descriptor.digest
}

/** GNU gzip: the one of Node compresses differently on other processors. */
function writeLayer(layout: string, root: string, epoch: number) {
  const plain = join(layout, "layer.tar")
  tar(root, plain, epoch)
  const diffId = digestOf(plain)
  execFileSync("gzip", ["--no-name", plain])
  const layer = taken(layout, "application/vnd.oci.image.layer.v1.tar+gzip", `${plain}.gz`)
  return { layer, diffId }
}

/** Capabilities of files are extended attributes. */
function tar(folder: string, file: string, epoch: number): void {
  const order = ["--sort=name", `--mtime=@${epoch}`, "--numeric-owner", "--format=posix"]
  const headers = "exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime"
  const attributes = ["--xattrs", "--xattrs-include=security.capability"]
  const options = [...order, `--pax-option=${headers}`, ...attributes]
  execFileSync("tar", ["--create", "--file", file, ...options, "--directory", folder, "."], {
    env: { ...process.env, LC_ALL: "C" },
  })
}

function writeJson(layout: string, mediaType: string, value: unknown): Descriptor {
  write(layout, "blob.json", value)
  return taken(layout, mediaType, join(layout, "blob.json"))
}

function write(layout: string, name: string, value: unknown): void {
  writeFileSync(join(layout, name), JSON.stringify(value))
}

/** Moves a file to where its digest says. */
function taken(layout: string, mediaType: string, file: string): Descriptor {
  const digest = digestOf(file)
  const { size } = statSync(file)
  renameSync(file, join(layout, "blobs/sha256", digest.slice("sha256:".length)))
  return { mediaType, digest, size }
}

function digestOf(file: string): string {
  return `sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`
}

/** The version of buildah says nothing of the image. */
function withoutBuilder({ Labels = {}, ...config }: ImageConfig): ImageConfig {
  const { "io.buildah.version": _, ...own } = Labels
  return { ...config, Labels: own }
}

if (import.meta.main) {
  const [root = "", config = "", file = "", name = ""] = process.argv.slice(2)
  const epoch = Number(process.env.SOURCE_DATE_EPOCH)
  if (name === "" || !Number.isSafeInteger(epoch) || epoch <= 0)
    throw new Error("Write archive.ts ROOT CONFIG FILE NAME, with SOURCE_DATE_EPOCH in seconds")
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim()
  const parsed = JSON.parse(readFileSync(config, "utf8")) as ImageConfig
  const digest = writeArchive({ root, config: parsed, file, name, epoch, architecture })
  process.stdout.write(`${digest}\n`)
}
