import type { Tls, TlsVersion } from "../../../model/http/tls.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { accepted, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import { dhParam } from "./dh-param.ts"
import { falseByDefault, nginxTime, size, trueByDefault } from "./syntax.ts"
import { ticketKey } from "./ticket-key.ts"

const versions: readonly TlsVersion[] = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]

/** Versions between blanks. nginx would take those before TLS, which OpenSSL has no more. */
const protocols: Syntax<readonly TlsVersion[]> = {
  values: "`TLSv1`, `TLSv1.1`, `TLSv1.2`, `TLSv1.3` between blanks",
  parse: (text) => {
    const asked = text.split(/ +/).filter((word) => word !== "")
    const known = versions.filter((version) => asked.includes(version))
    const advice = `write ${versions.join(", ")} or some of them separated by blanks`
    const left = asked.find((word) => !versions.some((version) => version === word))
    if (known.length === 0) return refused(advice)
    if (left === undefined) return accepted(known)
    return { ...accepted(known), remark: `${shown(left)} is left out: ${advice}` }
  },
}

/** Whether OpenSSL knows any of it is for nginx to say, which may have another OpenSSL than this process. */
const ciphers: Syntax<string> = {
  values: "an OpenSSL cipher list",
  parse: (text) =>
    /^[A-Za-z0-9:+!@=_, -]{1,2000}$/.test(text)
      ? accepted(text)
      : refused("write at most 2000 letters, digits and : + - ! @ = _"),
}

const curves: Syntax<string> = {
  values: "`auto`, or names between colons",
  parse: (text) =>
    /^[A-Za-z0-9_-]{1,80}(:[A-Za-z0-9_-]{1,80}){0,20}$/.test(text)
      ? accepted(text)
      : refused("write auto, or names of curves separated by colons"),
}

/** nginx counts sessions in whole seconds. */
const sessionSeconds: Syntax<number> = {
  values: nginxTime.values,
  parse: (text) => {
    const parsed = nginxTime.parse(text)
    if (parsed.kind === "refused") return parsed
    const seconds = parsed.value / 1000
    return Number.isInteger(seconds) && seconds >= 1 ? accepted(seconds) : refused("write a time from 1s on")
  },
}

/** nginx refuses a zone of less than eight pages. */
const minCacheBytes = 8 * 4096

interface Files {
  readonly dhParam: SecretFile | undefined
  readonly ticketKey: SecretFile | undefined
}

/** TLS towards clients. */
export const tls = family("TLS", {
  protocols: key("ssl-protocols", protocols, "TLSv1.2 TLSv1.3", {
    example: "TLSv1.3",
    description: "versions that clients may use",
  }),
  ciphers: key(
    "ssl-ciphers",
    ciphers,
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256",
    {
      shownDefault: "Mozilla's intermediate profile",
      example: "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256",
      description: "ciphers for TLS 1.2 and below, in order of preference",
    },
  ),
  curves: key("ssl-ecdh-curve", curves, "auto", {
    example: "X25519:prime256v1",
    description: "curves for the key exchange",
  }),
  dhParam: key("ssl-dh-param", dhParam, "", {
    example: "shop/dh",
    description: "its `dhparam.pem` has the parameters for DHE ciphers, which are unavailable without it",
  }),
  cachesSessions: trueByDefault(
    "ssl-session-cache",
    "whether the server keeps sessions that clients can resume",
  ),
  sessionCacheBytes: key("ssl-session-cache-size", size(minCacheBytes), "10m", {
    example: "20m",
    description: "size of the session cache; 1 MB holds about 4000 sessions",
  }),
  sessionSeconds: key("ssl-session-timeout", sessionSeconds, "10m", {
    example: "1h",
    description: "how long a session can be resumed",
  }),
  usesTickets: falseByDefault(
    "ssl-session-tickets",
    "whether clients keep their sessions themselves, as encrypted tickets",
  ),
  ticketKey: key("ssl-session-ticket-key", ticketKey, "", {
    shownDefault: "random with every reload",
    example: Buffer.from(Array.from({ length: 48 }, (_, at) => at)).toString("base64"),
    shownExample: "openssl rand -base64 48",
    exampleWith: { keys: { "ssl-session-tickets": "true" } },
    description: "key that session tickets are encrypted with",
  }),
  acceptsEarlyData: falseByDefault(
    "ssl-early-data",
    "TLS 1.3: whether a request may come with the client's first bytes. Others can replay it, so backends get `Early-Data: 1` with it and must refuse what must not happen twice (425)",
  ),
  recordBytes: key("ssl-buffer-size", size(1024), "4k", {
    example: "16k",
    description: "size of TLS records",
  }),
  rejectsUnknown: falseByDefault(
    "ssl-reject-handshake",
    "whether TLS handshakes without a host name, or for a host of no Ingress, are rejected",
  ),
} satisfies EntriesFor<Omit<Tls, keyof Files | "formerTicketKey"> & Files>)
