import { shown } from "../../model/shown.ts"
import { judgeAddress } from "../../support/address.ts"
import type { Directive } from "./syntax.ts"

/** Why a directive of a stream-snippet is refused although the table has it as one to be printed: it leads to what listens on this machine only. */
export function streamFault(
  { name, words: [target = ""], block }: Directive,
  upstreams: ReadonlySet<string>,
  allowsLoopback: boolean,
): string | undefined {
  if (block !== undefined) return undefined
  if (name === "listen")
    return target.startsWith("unix:") ? "it listens on a socket of the file system" : undefined
  if (name !== "proxy_pass" && name !== "server") return undefined
  if (target.startsWith("unix:")) return `${shown(target)} is a socket of this machine`
  if (target.includes("$") || (name === "proxy_pass" && upstreams.has(target))) return undefined
  if (name === "proxy_pass" && !/:\d+$/.test(target)) return `no port in upstream ${shown(target)}`
  const host = /^\[([^\]]*)\]/.exec(target)?.[1] ?? target.replace(/:\d+$/, "")
  if (host === "localhost" || /^[\d.]+$/.test(host) || host.includes(":"))
    return addressFault(host, allowsLoopback)
  return undefined
}

function addressFault(host: string, allowsLoopback: boolean): string | undefined {
  const verdict = judgeAddress(host === "localhost" ? "127.0.0.1" : host, allowsLoopback)
  return verdict.kind === "refused"
    ? `${shown(host)} cannot be reached from a snippet: ${verdict.reason}`
    : undefined
}
