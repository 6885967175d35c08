import { type Differences, operation } from "./difference.ts"
import { keySays, refused, settingRefused } from "./matching.ts"

/** Differences under the heading "TLS settings". */
export const handshakesDifferences = {
  "configmap-tls-refused": {
    what: "`ssl-ciphers`, `ssl-ecdh-curve` or `ssl-dh-param` of the ConfigMap is one that nginx or OpenSSL does not accept",
    before: "nginx refuses the whole configuration",
    now: "The last good value stays in force, with a Problem",
    why: "One key must not hold back the others",
    concerns: settingRefused("ssl-ciphers", "ssl-ecdh-curve", "ssl-dh-param"),
  },
  "ssl-ciphers-unknown": {
    what: "The annotation `ssl-ciphers` has no cipher that OpenSSL knows",
    before: "nginx refuses the whole configuration",
    now: "The annotation is ignored, with a Problem",
    why: "One mistake must not stop everybody else",
    concerns: refused("ssl-ciphers", /no cipher match/),
  },
  "annotations-ssl-ciphers-ssl-prefer-server": {
    what: "Annotations `ssl-ciphers`, `ssl-prefer-server-ciphers` on several Ingresses of a host",
    before: "The oldest decides",
    now: "The same, with a Problem for those that differ",
    concerns: operation,
  },
  "ssl-protocols-sslv3": {
    what: "`ssl-protocols: SSLv3`",
    before: "Printed; today's OpenSSL ignores it",
    now: "Left out, with a Problem",
    concerns: operation,
  },
  "ssl-dh-param-secret-changed-created": {
    what: "`ssl-dh-param`: its Secret is changed or created later",
    before: "Takes effect with the next reload for another reason",
    now: "Takes effect at once, by a reload",
    concerns: operation,
  },
  "ssl-session-ticket-key-not-48": {
    what: "`ssl-session-ticket-key` that is not 48 or 80 bytes long",
    before: "nginx refuses the whole configuration",
    now: "Refused with a Problem. So is a key of nearly identical bytes",
    why: "With the key anybody can be impersonated",
    concerns: operation,
  },
  "ssl-session-timeout-without-ssl-session": {
    what: "`ssl-session-timeout` without `ssl-session-cache`",
    before: "5 minutes",
    now: "Applies to session tickets as well",
    concerns: operation,
  },
  "ssl-early-data": {
    what: "`ssl-early-data` is on",
    before: "Backends are not told of early data",
    now: "Backends get `Early-Data: 1` (RFC 8470) and may answer 425",
    why: "A recorded request can be replayed",
    concerns: keySays("acceptsEarlyData", true),
  },
  "configmap-hsts-max-age": {
    what: "`hsts-max-age` is not a number",
    before: "The value is sent as it is",
    now: "The value is refused, with a Problem",
    why: "Browsers ignore such a header",
    concerns: settingRefused("hsts-max-age"),
  },
} satisfies Differences
