import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Capabilities } from "../../model/capabilities.ts"
import { Failure, reasonOf } from "../../support/failure.ts"

const run = promisify(execFile)

/** What an nginx binary says of itself. */
export interface NginxTraits extends Pick<Capabilities, "hasHttp3"> {
  /** as [1, 22, 1] */
  readonly version: readonly number[]
}

/** @throws Failure `nginx-missing` when it does not say */
export async function nginxTraits(nginx: string): Promise<NginxTraits> {
  const { stderr } = await run(nginx, ["-V"], { timeout: 10_000 }).catch((cause) => {
    throw new Failure("nginx-missing", `Cannot run nginx "${nginx}": ${reasonOf(cause)}`, { cause })
  })
  const [, version] = /nginx\/(\d+\.\d+\.\d+)/.exec(stderr) ?? []
  if (version === undefined) throw new Failure("nginx-missing", `Cannot tell the version of nginx "${nginx}"`)
  return { version: version.split(".").map(Number), hasHttp3: stderr.includes("--with-http_v3_module") }
}

/** The version of an nginx binary, as [1, 22, 1]. @throws Failure `nginx-missing` when it does not say */
export async function nginxVersion(nginx: string): Promise<readonly number[]> {
  return (await nginxTraits(nginx)).version
}

/** Whether nginx has a directive for HTTP/2, from 1.25.1 on. */
export const hasHttp2Directive = (version: readonly number[]): boolean => isAtLeast(version, [1, 25, 1])

export function isAtLeast(version: readonly number[], least: readonly number[]): boolean {
  const differing = least.findIndex((number, at) => number !== version[at])
  return differing === -1 || (version[differing] ?? 0) > (least[differing] ?? 0)
}
