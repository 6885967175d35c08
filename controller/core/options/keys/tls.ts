import type { TlsVersion } from "../../../model/http/tls.ts"
import { type Keys, key } from "../key.ts"
import type { TlsSettings } from "../settings.ts"
import { accepted, type Parser, refused } from "../values.ts"
import { dhParam } from "./dh-param.ts"
import { nginxTimeMs, onOff, size } from "./parsers.ts"
import { ticketKey } from "./ticket-key.ts"

const versions: readonly TlsVersion[] = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]

/** Versions between blanks. nginx would take those before TLS, which OpenSSL has no more. */
const protocols: Parser<readonly TlsVersion[]> = (text) => {
  const asked = text.split(/ +/).filter((word) => word !== "")
  const known = versions.filter((version) => asked.includes(version))
  const advice = `write ${versions.join(", ")} or some of them with blanks between`
  const left = asked.find((word) => !versions.some((version) => version === word))
  if (known.length === 0) return refused(advice)
  if (left === undefined) return accepted(known)
  return { ...accepted(known), remark: `${JSON.stringify(left)} is left out: ${advice}` }
}

/** Whether OpenSSL knows any of it is for nginx to say, which may have another OpenSSL than this process. */
const ciphers: Parser<string> = (text) =>
  /^[A-Za-z0-9:+!@=_, -]{1,2000}$/.test(text)
    ? accepted(text)
    : refused("write at most 2000 letters, digits and : + - ! @ = _")

const curves: Parser<string> = (text) =>
  /^[A-Za-z0-9_-]{1,80}(:[A-Za-z0-9_-]{1,80}){0,20}$/.test(text)
    ? accepted(text)
    : refused("write auto, or names of curves with colons between")

/** nginx counts sessions in whole seconds. */
const sessionSeconds: Parser<number> = (text) => {
  const parsed = nginxTimeMs(text)
  if (parsed.kind === "refused") return parsed
  const seconds = parsed.value / 1000
  return Number.isInteger(seconds) && seconds >= 1 ? accepted(seconds) : refused("write a time from 1s on")
}

/** nginx refuses a zone of less than eight pages. */
const minCacheBytes = 8 * 4096

/** TLS towards clients. */
export const tls: Keys<TlsSettings> = {
  protocols: key("ssl-protocols", protocols, "TLSv1.2 TLSv1.3"),
  ciphers: key(
    "ssl-ciphers",
    ciphers,
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256",
  ),
  curves: key("ssl-ecdh-curve", curves, "auto"),
  dhParam: key("ssl-dh-param", dhParam, ""),
  cachesSessions: key("ssl-session-cache", onOff, "true"),
  sessionCacheBytes: key("ssl-session-cache-size", size(minCacheBytes), "10m"),
  sessionSeconds: key("ssl-session-timeout", sessionSeconds, "10m"),
  usesTickets: key("ssl-session-tickets", onOff, "false"),
  ticketKey: key("ssl-session-ticket-key", ticketKey, ""),
  acceptsEarlyData: key("ssl-early-data", onOff, "false"),
  recordBytes: key("ssl-buffer-size", size(1024), "4k"),
  rejectsUnknown: key("ssl-reject-handshake", onOff, "false"),
}
