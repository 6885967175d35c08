// Instructions per request of nginx as the controller configures it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { startLoad } from "../../harness/load.ts"
import { callgrind, perOne, totalIn, wholeCallgrind } from "./callgrind.ts"
import { hostName } from "./rendered-site.ts"
import { startWay, type Way } from "./rendered-ways.ts"
import { few } from "./sites.ts"

export interface CountOptions {
  /** how many requests the two runs make whose difference counts */
  readonly requests: readonly [short: number, long: number]
  /** port of the endpoints */
  readonly port: number
  /** folder that keeps callgrind's files */
  readonly keep: string | undefined
  /** folder of other modules than those in out/modules */
  readonly modules: string | undefined
}

/** Instructions of one more request. @param name of callgrind's files */
export function instructionsOf(
  way: Way,
  name: string,
  { requests: [short, long], ...run }: CountOptions,
): Promise<number> {
  return perOne(short, long, (requests) => instructions(way, name, requests, run))
}

/** Those that nginx's event loop takes in a run of so many requests. */
async function instructions(
  way: Way,
  name: string,
  requests: number,
  { port, keep, modules }: Omit<CountOptions, "requests">,
): Promise<number> {
  const dir = keep ?? mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = resolve(dir, `${name.replaceAll(/\W+/g, "-")}.${requests}`)
  const under = way.kind === "haproxy" ? wholeCallgrind(out) : callgrind(out)
  const site = await startWay(way, few, port, under, modules)
  const { headers = {} } = way
  const question = (n: number) => ({ host: hostName, path: `/item/${n % 64}`, headers })
  const { statuses, lost } = await startLoad({ port: site.port, connections: 4, requests, question }).done
  await site.stop()
  if (statuses.get(200) !== requests) throw new Error(`${[...statuses]} ${lost[0]?.error}`)
  const total = totalIn(out)
  if (keep === undefined) rmSync(dir, { recursive: true })
  return total
}
