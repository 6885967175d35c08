import { access, constants } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { Capabilities } from "../../model/capabilities.ts"
import { Failure } from "../../support/failure.ts"
import { root } from "../../support/root.ts"

/** What must be there before nginx can run. Absolute paths. */
export interface Installation {
  /** the nginx binary */
  readonly nginx: string
  readonly wasmModule: string
  readonly ingressModule: string
  readonly balancer: string
  /** compiles balancing policies; absent: it is not installed, and none can be used */
  readonly policyProgram?: string
  /** nginx's stream module; absent: it is not installed */
  readonly streamModule?: string
  /** which type a file's ending stands for; absent: it is not installed, and nginx knows three */
  readonly mimeTypes?: string
  /** nginx's modules for brotli, filter and static; none unless both are there */
  readonly brotli: readonly string[]
  /** nginx's module for Zstandard, if it is there */
  readonly zstd: readonly string[]
}

/** The flags that name other places; "" looks beside the installation. */
export interface Places {
  readonly nginx: string
  /** a folder */
  readonly module: string
  readonly balancer: string
}

/** What flags ask for that not every nginx has. */
export interface Extras {
  /** hands TLS connections on: needs the stream module */
  readonly enableSslPassthrough: boolean
  /** as the next: listens on other ports, which needs it, too */
  readonly tcpServicesConfigmap?: object | undefined
  readonly udpServicesConfigmap?: object | undefined
}

const built = join(root, "out")

/** Where each thing is: in a checkout that `npm run setup` has prepared, or where an image has it. */
const known = {
  nginx: [join(built, "nginx/usr/sbin/nginx"), "/usr/sbin/nginx"],
  modules: [join(built, "modules"), "/usr/lib/nginx/modules"],
  balancer: [join(built, "balancer.wasm"), "/etc/wick/balancer.wasm"],
}

/** Finds everything. @throws Failure `not-installed` naming what is missing and the flag that says where it is */
export async function findInstallation(places: Places & Extras): Promise<Installation> {
  const policyProgram = await findPolicyProgram(places.module)
  const nginx = await find("nginx", places.nginx, known.nginx, "--nginx", constants.X_OK)
  const modules = (file: string) => known.modules.map((folder) => join(folder, file))
  const module = (file: string) =>
    find("module", places.module && join(places.module, file), modules(file), "--module", constants.R_OK)
  return {
    nginx,
    ...(await streamModuleOf(nginx, places)),
    brotli: await allOrNone(nginx, "brotli_filter", "brotli_static"),
    zstd: await allOrNone(nginx, "zstd_filter"),
    ...(await mimeTypesOf(nginx)),
    ...(policyProgram !== undefined && { policyProgram }),
    wasmModule: await module("ngx_http_wasm_module.so"),
    ingressModule: await module("ngx_http_ingress_module.so"),
    balancer: await find("balancer", places.balancer, known.balancer, "--balancer", constants.R_OK),
  }
}

/** @param traits what the binary says of itself */
export function capabilitiesOf(
  { brotli, zstd }: Pick<Installation, "brotli" | "zstd">,
  { hasHttp3 }: Pick<Capabilities, "hasHttp3">,
): Capabilities {
  return { hasBrotli: brotli.length > 0, hasZstd: zstd.length > 0, hasHttp3 }
}

/** The folder that distributions have beside nginx's own. */
function packaged(nginx: string): string {
  return join(dirname(nginx), "../lib/nginx/modules")
}

async function streamModuleOf(
  nginx: string,
  { enableSslPassthrough, tcpServicesConfigmap, udpServicesConfigmap }: Extras,
): Promise<Pick<Installation, "streamModule">> {
  const file = join(packaged(nginx), "ngx_stream_module.so")
  if (await isThere(file, constants.R_OK)) return { streamModule: file }
  const asking = [
    ...(enableSslPassthrough ? ["--enable-ssl-passthrough"] : []),
    ...(tcpServicesConfigmap ? ["--tcp-services-configmap"] : []),
    ...(udpServicesConfigmap ? ["--udp-services-configmap"] : []),
  ]
  if (asking.length === 0) return {}
  const advice = `install the package libnginx-mod-stream, or drop ${asking.join(" and ")}`
  throw new Failure("not-installed", `Cannot find nginx's stream module at "${file}": ${advice}`)
}

/** Where distributions have it. */
async function mimeTypesOf(nginx: string): Promise<Pick<Installation, "mimeTypes">> {
  const file = join(dirname(nginx), "../../etc/nginx/mime.types")
  return (await isThere(file, constants.R_OK)) ? { mimeTypes: file } : {}
}

/** Beside the modules. */
async function findPolicyProgram(given: string): Promise<string | undefined> {
  const folders = given === "" ? known.modules : [resolve(given)]
  const files = folders.map((folder) => join(folder, "wick-policy"))
  const found = await Promise.all(files.map((file) => isThere(file, constants.X_OK)))
  return files.find((_, at) => found[at])
}

/** Modules that distributions have, by their names. */
async function allOrNone(nginx: string, ...names: readonly string[]): Promise<readonly string[]> {
  const files = names.map((name) => join(packaged(nginx), `ngx_http_${name}_module.so`))
  const found = await Promise.all(files.map((file) => isThere(file, constants.R_OK)))
  return found.every(Boolean) ? files : []
}

async function find(
  what: string,
  given: string,
  places: readonly string[],
  flag: string,
  mode: number,
): Promise<string> {
  const candidates = given === "" ? places : [resolve(given)]
  for (const candidate of candidates) if (await isThere(candidate, mode)) return candidate
  const where = candidates.map((candidate) => `"${candidate}"`).join(" or ")
  const advice = given === "" ? `run "npm run setup" or name it with ${flag}` : `name another with ${flag}`
  throw new Failure("not-installed", `Cannot find ${what} at ${where}: ${advice}`)
}

function isThere(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}
