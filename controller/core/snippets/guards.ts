import { shown } from "../../model/shown.ts"
import { reasonOf } from "../../support/failure.ts"
import { isHarmless, type SnippetPlace } from "./harmless.ts"
import { type Directive, parseNginxSyntax } from "./syntax.ts"

// In comes text of nginx's configuration that nobody puts in force, out goes whether requests may get in for want of it.

const usualPorts: ReadonlySet<number> = new Set([80, 443])

/**
 * What of a text may keep requests out of where it stands; undefined: nothing does. Without a table of all directives of all modules it is not known
 * what the others do, so that is everything but what is known to be harmless.
 *
 * @param ports at which routes are served
 * @returns a phrase that goes on after "may keep requests out: ", with what to write instead where there is something
 */
export function guardIn(
  text: string,
  place: SnippetPlace,
  ports: ReadonlySet<number> = usualPorts,
): string | undefined {
  const parsed = parse(text)
  if (typeof parsed === "string") return `it cannot be read (${parsed})`
  const found = parsed.find(
    (it) => !isHarmless(it.name, place, it.block !== undefined) && !isElsewhere(it, place, ports),
  )
  return found && directive(found.name)
}

/** A server of its own on other ports than those of routes keeps nobody out of these. */
function isElsewhere({ name, block }: Directive, place: SnippetPlace, ports: ReadonlySet<number>): boolean {
  if (place !== "http" || name !== "server" || block === undefined) return false
  const listens = block.filter((it) => it.name === "listen")
  return listens.length > 0 && listens.every(({ words: [at = ""] }) => isOtherPort(at, ports))
}

function isOtherPort(at: string, ports: ReadonlySet<number>): boolean {
  if (at.startsWith("unix:")) return true
  const port = /(?:^|:)(\d{1,5})$/.exec(at)?.[1]
  return port !== undefined && !ports.has(Number(port))
}

function parse(text: string): ReturnType<typeof parseNginxSyntax> | string {
  try {
    return parseNginxSyntax(text)
  } catch (error) {
    return reasonOf(error)
  }
}

function directive(name: string): string {
  const instead = equivalentOf(name)
  return `directive ${shown(name)}${instead === undefined ? "" : `, for which there is ${instead}`}`
}

/** What says the same as a directive without a snippet: a phrase. */
export function equivalentOf(name: string): string | undefined {
  return equivalents.get(name)
}

const equivalents: ReadonlyMap<string, string> = new Map([
  ["allow", 'annotation "allowlist-source-range"'],
  ["deny", 'annotation "denylist-source-range"'],
  ["auth_basic", 'annotation "auth-type"'],
  ["auth_basic_user_file", 'annotation "auth-secret"'],
  ["auth_request", 'annotation "auth-url"'],
  ["error_page", 'annotation "custom-http-errors"'],
  ["limit_conn", 'annotation "limit-connections"'],
  ["limit_rate", 'annotation "limit-rate"'],
  ["limit_rate_after", 'annotation "limit-rate-after"'],
  ["limit_req", 'annotation "limit-rps"'],
  ["proxy_ssl_verify", 'annotation "proxy-ssl-verify"'],
  ["return", 'annotation "permanent-redirect", if it is a redirect'],
  ["rewrite", 'annotation "rewrite-target"'],
  ["satisfy", 'annotation "satisfy"'],
  ["ssl_ciphers", 'annotation "ssl-ciphers"'],
  ["ssl_client_certificate", 'annotation "auth-tls-secret"'],
  ["ssl_verify_client", 'annotation "auth-tls-verify-client"'],
])
