import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Fixed } from "../../model/model.ts"
import { bytesOf, type SecretFile, SecretText } from "../../model/secret-file.ts"
import { Failure, reasonOf, systemCode } from "../../support/failure.ts"
import type { Conf } from "../render/render.ts"
import type { Sockets } from "../render/site.ts"
import { socketsIn } from "./sockets.ts"

// Everything that wick writes. A file that somebody else reads is written beside and renamed, so nobody ever sees half of one; the last good
// configuration stays on disk until a better one is in force.

/** Paths inside the runtime directory. */
export interface Layout {
  readonly dir: string
  /** the configuration in force */
  readonly conf: string
  /** the next one, until it has passed the check */
  readonly candidate: string
  /** the one before, until the one in force has proved itself */
  readonly lastGood: string
  /** what `conf` was rendered from */
  readonly fixed: string
  readonly pid: string
  /** where nginx notes the master whose place another one takes */
  readonly oldPid: string
  /** process group of the master and its workers: an nginx that took the place of another one is in that one's */
  readonly group: string
  /** what keeps nginx from starting or reloading, in its own words */
  readonly emergencies: string
  /** pids of dead masters whose workers may still serve */
  readonly orphans: string
  readonly lock: string
  /** PEM, of the certificate for hosts that have none */
  readonly certificate: string
  readonly certificateKey: string
  /** random bytes, the same as long as the directory is there */
  readonly quicHostKey: string
  readonly controlDir: string
  readonly sockets: Sockets
  /** of an nginx that takes the place of another one, until it serves */
  readonly nextSockets: Sockets
  /** the controller's own: what it shows as JSON, and the page that shows that */
  readonly uiSocket: string
  /** of files that only nginx's master reads */
  readonly secrets: string
  /** OCSP responses, and certificates of issuers, kept for the next start */
  readonly staples: string
  readonly issuers: string
  /** what nginx has compiled the filter to; only nginx reads and writes there */
  readonly compiled: string
  /** what balancing policies are compiled to, which workers read, and what is known of them */
  readonly policies: string
  readonly policyState: string
  /** databases of GeoIP, which workers map */
  readonly geoip: string
  /** rule sets of ModSecurity, which workers read, and what is known of them */
  readonly modsecurity: string
  readonly modsecurityState: string
  readonly temp: string
  readonly accessPipe: string
}

/** A unix socket's path has at most this many bytes. Source: unix(7), sun_path without its NUL. */
const longestSocketPath = 107

export function layoutOf(dir: string): Layout {
  const at = (name: string) => join(dir, name)
  return {
    dir,
    conf: at("nginx.conf"),
    candidate: at("nginx.conf.next"),
    lastGood: at("nginx.conf.last"),
    fixed: at("fixed.json"),
    pid: at("nginx.pid"),
    oldPid: at("nginx.pid.oldbin"),
    group: at("nginx.group"),
    emergencies: at("emergencies.log"),
    orphans: at("orphans"),
    lock: at("controller.pid"),
    certificate: at("default-certificate.pem"),
    certificateKey: at("default-certificate.key"),
    quicHostKey: at("quic-host.key"),
    controlDir: at("control"),
    sockets: socketsIn(at("control"), "sock"),
    nextSockets: socketsIn(at("control"), "next"),
    uiSocket: at("control/ui.sock"),
    secrets: at("secrets"),
    staples: at("staples"),
    issuers: at("issuers"),
    compiled: at("compiled"),
    policies: at("policies"),
    policyState: join(at("policies"), "state.json"),
    geoip: at("geoip"),
    modsecurity: at("modsecurity"),
    modsecurityState: join(at("modsecurity"), "state.json"),
    temp: at("temp"),
    accessPipe: at("access.pipe"),
  }
}

/**
 * Makes the runtime directory ready. Workers with an account of their own may pass through it, only the controller's account may read it.
 *
 * @param wanted `--runtime-dir`; "" takes /run/wick, or a directory of this account under the system's temporary one
 * @throws Failure `runtime-dir` when it cannot be used
 */
export async function prepareRuntimeDir(wanted: string): Promise<Layout> {
  const layout = layoutOf(wanted === "" ? await defaultDir() : resolve(wanted))
  if (Buffer.byteLength(layout.sockets.control) > longestSocketPath) {
    throw unusable(layout.dir, "the path of the control socket in it would be too long, choose a shorter one")
  }
  try {
    await makeDir(layout.dir, 0o711)
    await makeDir(layout.temp, 0o711)
    for (const dir of [layout.controlDir, layout.secrets, layout.compiled]) {
      await mkdir(dir, { recursive: true })
      await chmod(dir, 0o700)
    }
    for (const dir of [layout.policies, layout.geoip, layout.modsecurity]) {
      await mkdir(dir, { recursive: true })
      await chmod(dir, dir === layout.modsecurity ? 0o711 : 0o755)
    }
    await writeWhole(join(layout.dir, ".writable"), "")
    await rm(join(layout.dir, ".writable"))
  } catch (error) {
    throw unusable(layout.dir, `${reasonOf(error)}, choose a writable one with --runtime-dir`, error)
  }
  return layout
}

async function defaultDir(): Promise<string> {
  const [common, own] = defaultDirs()
  if (
    await makeDir(common, 0o711).then(
      () => canWrite(common),
      () => false,
    )
  )
    return common
  await mkdir(own, { recursive: true, mode: 0o711 })
  // Anybody can make a directory, or a link to one, under the temporary one before we do.
  if (!(await isOurs(own))) throw unusable(own, "others may write it, choose one with --runtime-dir")
  return own
}

/** Where a controller may work that a command is about. @param wanted `--runtime-dir`; "" where controllers work that were not told where */
export function dirsOf(wanted: string): readonly string[] {
  return wanted === "" ? defaultDirs() : [resolve(wanted)]
}

/** Where a controller works that was not told where: the first of them that it can write. */
function defaultDirs(): readonly [common: string, own: string] {
  return ["/run/wick", join(tmpdir(), `wick-${process.getuid?.() ?? 0}`)]
}

function canWrite(dir: string): Promise<boolean> {
  return access(dir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function isOurs(dir: string): Promise<boolean> {
  const found = await lstat(dir)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** Gives a mode only to a directory that this call made: an existing one may be shared with others. */
async function makeDir(dir: string, mode: number): Promise<void> {
  const isNew = (await mkdir(dir, { recursive: true })) !== undefined
  if (isNew) await chmod(dir, mode)
}

function unusable(dir: string, reason: string, cause?: unknown): Failure {
  return new Failure("runtime-dir", `Cannot use runtime directory "${dir}": ${reason}`, { cause })
}

/** Writes the configuration that is to be checked, and before it the files that it names. */
export async function writeCandidate(layout: Layout, conf: Conf): Promise<void> {
  for (const file of conf.files) await writeWhole(join(layout.secrets, file.name), bytesOf(file))
  await writeWhole(layout.candidate, conf.text)
}

/** A file that a configuration in force names; undefined when it is not there. */
export async function readSecretFile(layout: Layout, name: string): Promise<SecretFile | undefined> {
  try {
    const text = await readFile(join(layout.secrets, name), "base64")
    return { name, text: new SecretText(text), encoding: "base64" }
  } catch (error) {
    ignoreMissing(error)
    return undefined
  }
}

/** Removes the files that a configuration in force does not name. */
export async function removeUnused(layout: Layout, conf: Conf): Promise<void> {
  const names = await readdir(layout.secrets)
  const unused = names.filter((name) => !conf.text.includes(name))
  for (const name of unused) await rm(join(layout.secrets, name), { force: true })
}

/** The candidate becomes the configuration that nginx reads next; the one before is kept. */
export async function swapIn(layout: Layout, fixed: Fixed): Promise<void> {
  await copyFile(layout.conf, layout.lastGood).catch(ignoreMissing)
  await rename(layout.candidate, layout.conf)
  await writeWhole(layout.fixed, JSON.stringify({ ...fixed, files: undefined }))
}

/** Takes the last swap back: nginx did not take the new configuration. */
export async function swapBack(layout: Layout): Promise<void> {
  await rename(layout.lastGood, layout.conf).catch(ignoreMissing)
}

/** What the configuration in force was rendered from, as `swapIn` left it; undefined when there is none or it cannot be read. */
export async function readFixed(layout: Layout): Promise<Fixed | undefined> {
  try {
    return JSON.parse(await readFile(layout.fixed, "utf8"))
  } catch {
    return undefined // the caller then renders from scratch, which costs one reload
  }
}

/** Replaces a file as a whole; only this account may read it. @throws Failure `cannot-write` */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const beside = `${path}.part`
  try {
    await writeFile(beside, content, { mode: 0o600 })
    await rename(beside, path)
  } catch (cause) {
    throw new Failure("cannot-write", `Cannot write "${path}": ${reasonOf(cause)}`, { cause })
  }
}

function ignoreMissing(error: unknown): void {
  if (systemCode(error) !== "ENOENT") throw error
}
