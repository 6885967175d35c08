import { family, key } from "../key.ts"
import { accepted, type Parser, refused } from "../parser.ts"
import { domainReplacement, pathReplacement } from "../replacements.ts"
import { wordOf } from "./syntax.ts"

const url: Parser<string> = (text) =>
  /^[-._~a-zA-Z0-9/:,?&=]{1,1024}$/.test(text) && !text.startsWith("~")
    ? accepted(text)
    : refused("write off, or at most 1024 letters, digits and - . _ / : , ? & =")

const description = "default of the annotation"

/** What becomes of requests and responses whose Ingress says nothing. */
export const responses = family("Proxying", {
  proxyHttpVersion: key("proxy-http-version", wordOf("1.0", "1.1"), "1.1", { example: "1.0", description }),
  cookieDomain: key("proxy-cookie-domain", domainReplacement, "off", {
    example: "a.test b.test",
    description,
  }),
  cookiePath: key("proxy-cookie-path", pathReplacement, "off", { example: "/a /b", description }),
  /** text, `off` or `default` */
  redirectFrom: key(
    "proxy-redirect-from",
    { parse: url, values: "`off`, `default`, or the beginning of a URL" },
    "off",
    {
      example: "http://a.test/",
      description,
    },
  ),
  /** text or `off` */
  redirectTo: key("proxy-redirect-to", { parse: url, values: "the beginning of a URL" }, "off", {
    example: "https://b.test/",
    description,
  }),
})
