// wick as the image runs it: JavaScript in the place of TypeScript, Node as the launcher starts it (launcher/src), and in a Pod the account of
// that. What the checkout has instead, a compiler of types and a reader of kubeconfig files, takes more memory than a small cluster does.
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import { grant } from "../../harness/cluster/rights.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { nodeBinary, root } from "../../harness/paths.ts"
import { startWick, type Wick, type WickOptions } from "../../harness/wick.ts"

/** Where a Pod finds its account; the network of its own has a directory of its own there (own-network.ts). */
const accountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount"

const namespace = "wick"

const preloaded = ["bench/support/loop-delay.ts", "bench/support/stages.ts"]

export interface ImageOptions extends Omit<WickOptions, "kubeconfig" | "program"> {
  /** of bench/support, loaded into the controller before it */
  readonly preload?: string
}

/** Starts it with a directory of manifests. */
export function startImage(options: ImageOptions): Promise<Wick> {
  return startWick(inImage(options))
}

/** Starts it in a Pod of the namespace `wick`. */
export async function startInPod(server: ApiServer, options: ImageOptions = {}): Promise<Wick> {
  await server.admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } })
  const { tokenFile } = await grant(server, namespace)
  mkdirSync(accountDirectory, { recursive: true })
  writeFileSync(join(accountDirectory, "ca.crt"), server.ca)
  writeFileSync(join(accountDirectory, "token"), readFileSync(tokenFile))
  const image = inImage(options)
  const service = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: String(server.port) }
  return startWickIn(server, { ...image, kubeconfig: "", env: { ...image.env, ...service } })
}

function inImage({ preload, env, ...options }: ImageOptions): WickOptions {
  const folder = imageFolder()
  const { flags, allocator } = toldByLauncher()
  const preloads = preload === undefined ? [] : [`--import=${join(folder, "bench/support", preload)}`]
  return {
    ...options,
    program: [...preloads, ...flags, join(folder, "controller/main.js")],
    env: { ...allocator, ...env },
  }
}

/** What the launcher tells Node where the container has no limit. */
function toldByLauncher(): { flags: readonly string[]; allocator: Readonly<Record<string, string>> } {
  const [memory = ""] = readFileSync(join(root, "launcher/src/memory.rs"), "utf8").split("#[cfg(test)]")
  const source = memory + readFileSync(join(root, "launcher/src/main.rs"), "utf8")
  const flags = [...source.matchAll(/"(--[a-z-]+(?:=\d+)?)"/g)].map(([, flag = ""]) => flag)
  const allocator = [...source.matchAll(/\("(MALLOC_\w+)", "(\d+)"\)/g)]
  return { flags, allocator: Object.fromEntries(allocator.map(([, name = "", value = ""]) => [name, value])) }
}

let made: string | undefined

/** The folder that the Dockerfile makes of the controller; goes when this process does. */
function imageFolder(): string {
  if (made !== undefined) return made
  const folder = mkdtempSync(join(tmpdir(), "wick-image-"))
  const script = join(root, "build/javascript.ts")
  execFileSync(nodeBinary, ["--no-warnings", script, folder, ...preloaded])
  cpSync(join(root, "package.json"), join(folder, "package.json"))
  for (const part of ["node_modules", "nginx", "out"]) symlinkSync(join(root, part), join(folder, part))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  made = folder
  return folder
}
