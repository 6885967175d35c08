import { isIP, isIPv6 } from "node:net"
import { isName } from "../../../support/host-name.ts"
import { accepted, type Parsed, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import { hostVariable, urlTemplate } from "./template.ts"

/** Where an authentication service is asked. */
export interface AuthUrl {
  readonly scheme: "http" | "https"
  readonly host: AuthHost
  /** that of the scheme where the URL has none */
  readonly port: number
  /** template of path and query; begins with a slash */
  readonly target: string
}

type AuthHost =
  /** a DNS name in lower case, or an IP address without brackets */
  | { readonly kind: "name" | "address"; readonly text: string }
  /** that of the rule whose paths are protected */
  | { readonly kind: "own" }

const url = new RegExp(
  String.raw`^(https?)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+|${hostVariable})(?::(\d+))?([/?].*)?$`,
  "i",
)

/** ingress-nginx drops blanks, wherever they are. */
const parse: Parser<AuthUrl> = (text) => {
  const written = text.replaceAll(" ", "")
  if (/^[a-z]+:\/\/[^/?]*@/i.test(written)) return refused("remove the user name and password")
  const [, scheme, host, port, rest = "/"] = url.exec(written) ?? []
  if (scheme === undefined || host === undefined) return refused(advice)
  return assemble(scheme.toLowerCase() as AuthUrl["scheme"], hostOf(host), port, rest)
}

const advice =
  "write http:// or https://, a host or $host, and a path, as in http://auth.demo.svc:4180/verify"

function assemble(
  scheme: AuthUrl["scheme"],
  host: Parsed<AuthHost>,
  port: string | undefined,
  rest: string,
): Parsed<AuthUrl> {
  if (host.kind === "refused") return host
  const number = port === undefined ? defaultPorts[scheme] : Number(port)
  if (number < 1 || number > 65_535) return refused("write a port from 1 to 65535")
  const target = urlTemplate(rest.startsWith("/") ? rest : `/${rest}`)
  if (target.kind === "refused") return target
  return accepted({ scheme, host: host.value, port: number, target: target.value })
}

const defaultPorts = { http: 80, https: 443 }

function hostOf(written: string): Parsed<AuthHost> {
  if (written.startsWith("$")) return accepted({ kind: "own" })
  const bare = written.replace(/^\[|\]$/g, "")
  if (written.startsWith("[") ? isIPv6(bare) : isIP(bare) !== 0) {
    return accepted({ kind: "address", text: bare })
  }
  const name = bare.toLowerCase().replace(/\.$/, "")
  if (/^(.+\.)?localhost$/.test(name)) return refused("localhost means this machine, which is not allowed")
  return isName(name) ? accepted({ kind: "name", text: name }) : refused("its host is no DNS name")
}

export const authUrl: Syntax<AuthUrl> = {
  parse,
  values:
    "a URL of `http` or `https`; variables in its path and query, and `$host` as its host: that of the rule",
}
