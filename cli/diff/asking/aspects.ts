import type { DiffRequest, Scheme } from "../requests/request.ts"
import type { Side } from "../sides.ts"
import { type Answer, failures, type Received } from "./answer.ts"
import type { Handshake } from "./handshake.ts"
import { comparable } from "./header-values.ts"

/**
 * What is compared, each as a text that is the same where the answers are: `answer` (whether there is one), `status`, `body`, `header NAME`; of
 * handshakes `answer`, `certificate`, `names`, `expiry`, `trust`, `version` and `protocol`; and `time`.
 */
export type Aspects = ReadonlyMap<string, string>

/** @param side that has answered: it may name its own ports */
export function aspectsOf(answer: Answer, request: DiffRequest, side: Side): Aspects {
  if (answer.kind === "failed") return new Map([["answer", failures[answer.why]]])
  return new Map([
    ["answer", "an answer"],
    ["status", String(answer.status)],
    ...headerAspects(answer, request, side),
    ["body", bodyText(answer.body)],
  ])
}

function headerAspects({ headers }: Received, request: DiffRequest, side: Side): [string, string][] {
  const names = [...headers.keys()].sort()
  return names.flatMap((name): [string, string][] => {
    const values = headers.get(name) ?? []
    if (name === "content-length" && request.method === "HEAD")
      return [["header content-length", values.join()]]
    const text = comparable(name, values)
    if (text === undefined) return []
    return [[`header ${name}`, name === "location" || name === "refresh" ? withoutPort(text, side) : text]]
  })
}

/** A redirect to the port that was asked for is one to the usual port: the other side has another one. */
function withoutPort(url: string, side: Side): string {
  return url.replace(/^(https?):\/\/([^/:?#]+|\[[^\]]*\]):(\d+)(?=[/?#]|$)/i, (all, scheme, host, port) => {
    const own = side[String(scheme).toLowerCase() as Scheme]
    return own !== undefined && own.port === Number(port) ? `${scheme}://${host}` : all
  })
}

function bodyText({ bytes, isCut, sha256 }: Received["body"]): string {
  if (bytes === 0) return "no bytes"
  return `${isCut ? "more than " : ""}${bytes} bytes, ${sha256.slice(0, 12)}`
}

/** The aspect `answer` of a handshake that succeeds. */
export const handshaken = "a handshake"

export function handshakeAspects(handshake: Handshake): Aspects {
  if (handshake.kind === "failed") return new Map([["answer", failures[handshake.why]]])
  const { certificate, untrusted, version, protocol } = handshake
  const { fingerprint, names, issuer, notAfter } = certificate
  return new Map([
    ["answer", handshaken],
    ["certificate", `${fingerprint.slice(0, 16)} of ${issuer}`],
    ["names", names.join(" ")],
    ["expiry", notAfter],
    ["trust", untrusted === undefined ? "trusted" : `not trusted (${untrusted})`],
    ["version", version],
    ["protocol", protocol === "" ? "none" : protocol],
  ])
}
