import { type Keys, key } from "../key.ts"
import { domainReplacement, pathReplacement } from "../replacements.ts"
import type { ResponseSettings } from "../settings.ts"
import { accepted, oneOf, type Parser, refused } from "../values.ts"

const url: Parser<string> = (text) =>
  /^[-._~a-zA-Z0-9/:,?&=]{1,1024}$/.test(text) && !text.startsWith("~")
    ? accepted(text)
    : refused("write off, or at most 1024 letters, digits and - . _ / : , ? & =")

/** What becomes of requests and responses whose Ingress says nothing. */
export const responses: Keys<ResponseSettings> = {
  proxyHttpVersion: key("proxy-http-version", oneOf("1.0", "1.1"), "1.1"),
  cookieDomain: key("proxy-cookie-domain", domainReplacement, "off"),
  cookiePath: key("proxy-cookie-path", pathReplacement, "off"),
  redirectFrom: key("proxy-redirect-from", url, "off"),
  redirectTo: key("proxy-redirect-to", url, "off"),
}
