import type { Hsts } from "../../../model/http/tls.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { accepted, refused } from "../parser.ts"
import { type Syntax, values } from "../usage.ts"
import { falseByDefault, trueByDefault } from "./syntax.ts"

/** Digits and nothing else: a browser takes no header with anything else in it. */
const seconds: Syntax<number> = {
  values: values.seconds,
  parse: (text) =>
    /^\d{1,10}$/.test(text) ? accepted(Number(text)) : refused("write whole seconds, 10 digits at most"),
}

export const hsts = family("TLS", {
  sendsHsts: trueByDefault(
    "hsts",
    "whether HTTPS responses have a `Strict-Transport-Security` header, instead of the backend's: browsers then use HTTPS only",
  ),
  hstsMaxAgeSeconds: key("hsts-max-age", seconds, "31536000", {
    example: "86400",
    description: "how long browsers remember to use HTTPS only",
  }),
  hstsIncludesSubdomains: trueByDefault(
    "hsts-include-subdomains",
    "whether HSTS also applies to the host's subdomains",
  ),
  hstsAllowsPreload: falseByDefault(
    "hsts-preload",
    "whether the host may be added to the preload lists that browsers ship",
  ),
} satisfies EntriesFor<Hsts>)
