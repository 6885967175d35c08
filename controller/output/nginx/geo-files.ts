import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Failure, reasonOf, systemCode } from "../../support/failure.ts"
import type { Layout } from "./files.ts"

// The folder of databases of GeoIP that workers map: each is a copy that nobody writes to, and its successor takes its place by its name. A file of
// somebody else, who may shorten it, would end the worker that reads there.

const suffix = ".mmdb"

/** @throws Failure `cannot-write` */
export async function putDatabase(
  { geoip }: Pick<Layout, "geoip">,
  edition: string,
  from: string,
): Promise<void> {
  const path = join(geoip, `${edition}${suffix}`)
  const part = `${path}.part`
  try {
    await copyFile(from, part)
    await chmod(part, 0o644)
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true }).catch(() => {})
    throw new Failure("cannot-write", `Cannot write "${path}": ${reasonOf(cause)}`, { cause })
  }
}

/** Removes all others, and what was not finished. */
export async function keepDatabases(
  { geoip }: Pick<Layout, "geoip">,
  editions: readonly string[],
): Promise<void> {
  const kept = new Set(editions.map((edition) => `${edition}${suffix}`))
  const names = await readdir(geoip)
  for (const name of names) if (!kept.has(name)) await rm(join(geoip, name), { force: true })
}

/**
 * Puts a database into the directory of those that there are, whose file others look at.
 *
 * @param fault says what is wrong with a file: a phrase that goes on after a colon
 * @returns that; then the one before stays
 * @throws Failure `cannot-write`, or what `bytes` throws
 */
export async function storeDatabase(
  directory: string,
  edition: string,
  bytes: AsyncIterable<Uint8Array>,
  fault: (path: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const path = join(directory, `${edition}${suffix}`)
  const part = join(directory, `.${edition}${suffix}.part`)
  try {
    await mkdir(directory, { recursive: true })
    await writeFile(part, bytes, { mode: 0o644 })
    const found = await fault(part)
    if (found === undefined) await rename(part, path)
    return found
  } catch (cause) {
    if (!ofFiles.has(systemCode(cause))) throw cause
    throw new Failure("cannot-write", `Cannot write "${path}": ${reasonOf(cause)}`, { cause })
  } finally {
    await rm(part, { force: true }).catch(() => {})
  }
}

const ofFiles = new Set([
  "EACCES",
  "EDQUOT",
  "EEXIST",
  "EIO",
  "ENOENT",
  "ENOSPC",
  "ENOTDIR",
  "EPERM",
  "EROFS",
])
