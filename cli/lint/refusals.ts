import type { Ingress } from "../../controller/model/objects/ingress.ts"
import type { Problem } from "../../controller/model/problem.ts"
import { keyAt, nameIn, nameOfToday } from "./written.ts"

// What ingress-nginx 1.15 does with values that its own checks refuse. That wick refuses a value says nothing of what became of it before, nor does
// it that wick takes one. Here alone the text of an annotation is read by other rules than wick's: they are those of the other controller.

/**
 * `left-out`: the Ingress as a whole, so that its paths get 404 or go to another path of the host. `denied`: its paths answer 503, or its hosts
 * 403. `ignored`: the default applies. `stops-all`: it passes the checks, and nginx refuses the whole configuration for it.
 */
export type Refusal = "left-out" | "denied" | "ignored" | "stops-all"

/** What a value has to look like, and what becomes of the others. Checked from the first to the last. */
type Checks = readonly (readonly [accepts: RegExp, otherwise: Refusal])[]

const boolean = /^(?:1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/
const integer = /^[+-]?\d+$/
const size = /^\d+[bkmg]?$/i
const basic = /^[/\-._~a-zA-Z0-9:]*$/
const extended = /^[/\-._~a-zA-Z0-9:^$[\](){}*+?|&=\\]*$/
const url = /^[-._~a-zA-Z0-9/:,?&=]*$/
const urlWithVariables = /^[-._~a-zA-Z0-9/:,?&=$]*$/
const onOrOff = /^(?:on|off)$/

const ignored = (accepts: RegExp): Checks => [[accepts, "ignored"]]
const leftOut = (accepts: RegExp): Checks => [[accepts, "left-out"]]

/** Looks like addresses and networks. Those that only look so are not judged. */
const addresses = /^(?:[\da-f.:]+(?:\/\d+)?(?:,|$))+$/i

/** By the name of today. */
const checks: ReadonlyMap<string, Checks> = new Map<string, Checks>([
  ...each(ignored(boolean), [
    ...["cors-allow-credentials", "enable-access-log", "enable-cors", "enable-global-auth"],
    ...["enable-rewrite-log", "force-ssl-redirect", "preserve-trailing-slash", "ssl-prefer-server-ciphers"],
    ...["ssl-redirect", "use-port-in-redirects", "use-regex"],
  ]),
  ...each(leftOut(boolean), [
    "auth-tls-pass-certificate-to-upstream",
    "from-to-www-redirect",
    "relative-redirects",
    "ssl-passthrough",
  ]),
  ...each(ignored(integer), [
    ...["cors-max-age", "limit-burst-multiplier", "limit-rate", "limit-rate-after", "proxy-buffers-number"],
    ...["proxy-connect-timeout", "proxy-next-upstream-timeout", "proxy-next-upstream-tries"],
    ...["proxy-read-timeout", "proxy-send-timeout"],
  ]),
  ...each(leftOut(integer), ["limit-connections", "limit-rpm", "limit-rps", "permanent-redirect-code"]),
  ...each(ignored(size), ["proxy-body-size", "proxy-buffer-size", "proxy-busy-buffers-size"]),
  ["client-body-buffer-size", leftOut(size)],
  ...each(ignored(onOrOff), ["proxy-buffering", "proxy-request-buffering", "proxy-ssl-server-name"]),
  ["proxy-ssl-verify", ignored(onOrOff)],
  ["affinity", ignored(/^cookie$/)],
  ["affinity-mode", ignored(/^(?:balanced|persistent)$/)],
  ["affinity-canary-behavior", ignored(/^(?:sticky|legacy)$/)],
  ["backend-protocol", ignored(/^(?:HTTP|HTTPS|AUTO_HTTP|GRPC|GRPCS|FCGI)$/i)],
  ["cors-allow-methods", ignored(/^[A-Za-z,\s]+$/)],
  ["cors-allow-headers", ignored(/^[A-Za-z0-9\-_,\s]*$/)],
  ["proxy-http-version", ignored(/^1\.[01]$/)],
  ["proxy-ssl-ciphers", ignored(/^[A-Za-z0-9+:_\-!]*$/)],
  ["rewrite-target", ignored(/^\/?[-._~a-zA-Z0-9/:$]*$/)],
  ["satisfy", ignored(/^(?:any|all)$/)],
  ["session-cookie-expires", ignored(/^0|-?[1-9]\d*$/)],
  ["session-cookie-max-age", ignored(/^0|-?[1-9]\d*$/)],
  ["allowlist-source-range", [[addresses, "denied"]]],
  ["denylist-source-range", [[addresses, "denied"]]],
  ["limit-allowlist", leftOut(addresses)],
  ["auth-type", leftOut(/basic|digest/)],
  ["auth-realm", leftOut(/^[/\-._~a-zA-Z0-9: ]*$/)],
  ["auth-secret", [[basic, "denied"]]],
  [
    "auth-secret-type",
    [
      [/auth-file|auth-map/, "left-out"],
      [/^auth-(?:file|map)$/, "denied"],
    ],
  ],
  ["auth-method", [[/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|TRACE)$/, "denied"]]],
  [
    "auth-cache-duration",
    [
      // without it nobody is asked
      [/^[A-Za-z0-9\-._~/:, ]*$/, "ignored"],
      [/^(?:(?:^|, *)(?:\d{3} +)*\d+(?:ms|[smhdwMy]))+$/, "denied"],
      [/^[^,]*\d+[smhdwMy](?:,[^,]*\d+[smhdwMy])*$/, "stops-all"],
    ],
  ],
  ["auth-response-headers", [[/^[A-Za-z0-9\-_,]*$/, "denied"]]],
  [
    "auth-url",
    [
      [urlWithVariables, "left-out"],
      [/^[a-z][a-z\d+.-]*:\/\/(?![^/]*\.\.)[^/]/i, "denied"],
    ],
  ],
  [
    "auth-tls-secret",
    [
      [basic, "left-out"],
      [/^[^/]+\/[^/]+$/, "denied"],
    ],
  ],
  ["auth-tls-match-cn", leftOut(/^CN=/)],
  [
    "proxy-ssl-secret",
    [
      [basic, "left-out"],
      [/^[^/]+\/[^/]+$/, "denied"],
    ],
  ],
  ["connection-proxy-header", leftOut(/^(?:close|keep-alive)$/)],
  ["custom-http-errors", leftOut(/^(?:[4,5]\d{2},?)*$/)],
  ["default-backend", leftOut(/^[a-z]([-a-z0-9]*[a-z0-9])?$/)],
  ["fastcgi-index", leftOut(/^[A-Za-z0-9.\-_]+$/)],
  ["load-balance", leftOut(/^(?:round_robin|chash|chashsubset|sticky_balanced|sticky_persistent|ewma)$/)],
  ["opentelemetry-operation-name", leftOut(/^[A-Za-z0-9_-]*$/)],
  ["permanent-redirect", leftOut(url)],
  ["ssl-ciphers", leftOut(/^[A-Za-z0-9!:+\-_@=]*$/)],
  ["upstream-hash-by", leftOut(/^[A-Za-z0-9\-_${}]*$/)],
  ["upstream-vhost", leftOut(extended)],
  ["x-forwarded-prefix", leftOut(/^\/?[-._~a-zA-Z0-9/:$]*$/)],
])

function each(of: Checks, names: readonly string[]): readonly (readonly [string, Checks])[] {
  return names.map((name) => [name, of])
}

/** @returns nothing where ingress-nginx takes the value, or where it is not known what it does */
export function refusalOf(name: string, value: string): Refusal | undefined {
  if (value.trim() === "") return refusesEmpty.has(name) ? "denied" : "ignored"
  const today = nameOfToday(name)
  const bare = asWritten.has(today) ? value.trim() : value.replaceAll(/\s/g, "")
  return checks.get(today)?.find(([accepts]) => !accepts.test(bare))?.[1]
}

/** Blanks within others are passed over. */
const asWritten: ReadonlySet<string> = new Set(["auth-cache-duration", "rewrite-target"])

/** By these names alone: elsewhere a blank value counts as none, and for a list by its older name the ConfigMap's applies. */
const refusesEmpty: ReadonlySet<string> = new Set([
  "allowlist-source-range",
  "auth-secret",
  "denylist-source-range",
])

/** What it did about an annotation that wick refuses. */
export function refusalBefore({ code, field }: Problem, ingress: Ingress): Refusal | undefined {
  const key = code === "annotation-refused" ? keyAt(field, ingress) : undefined
  return key === undefined ? undefined : refusalAt(key, ingress)
}

/** What it did about the annotation, whatever wick does. @param key with its prefix */
export function refusalAt(key: string, { meta }: Ingress): Refusal | undefined {
  return refusalOf(nameIn(key), meta.annotations[key] ?? "")
}

/** As sentences about what was. */
export const refusalTexts: Readonly<Record<Refusal, string>> = {
  "left-out": "The Ingress is left out: its paths get 404, or go to another path of the host",
  denied: "Requests are refused, too",
  ignored: "The value is ignored",
  "stops-all": "nginx refuses the whole configuration, for everybody",
}
