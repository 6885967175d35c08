import { domainReplacement, pathReplacement } from "../options/replacements.ts"
import { none, values } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { blankless, trimmed } from "./parse.ts"
import { basicText, urlText } from "./texts.ts"

const location = {
  section: "Proxying",
  default: fromConfigMap,
  scope: "location",
  risk: "medium",
  since: "0.1.0",
} as const

/** What becomes of the backend's response headers. */
export const responseAnnotations = {
  cookieDomain: {
    ...location,
    name: "proxy-cookie-domain",
    parse: trimmed(domainReplacement.parse),
    values: domainReplacement.values,
    example: "internal.test example.com",
    description: "in cookies of the backend the first domain is replaced by the second",
  },
  cookiePath: {
    ...location,
    name: "proxy-cookie-path",
    parse: trimmed(pathReplacement.parse),
    values: pathReplacement.values,
    example: "/app /shop",
    description: "in cookies of the backend the first path is replaced by the second",
  },
  /** text, `off` or `default` */
  redirectFrom: {
    ...location,
    name: "proxy-redirect-from",
    parse: blankless(urlText),
    values: "`off`, `default`, or the beginning of a URL",
    example: "http://internal.test/",
    exampleWith: { annotations: { "proxy-redirect-to": "https://example.com/" } },
    description: "what is replaced in `Location` and `Refresh` headers of the backend",
  },
  /** text or `off` */
  redirectTo: {
    ...location,
    name: "proxy-redirect-to",
    parse: blankless(urlText),
    values: "the beginning of a URL",
    example: "https://example.com/",
    exampleWith: { annotations: { "proxy-redirect-from": "http://internal.test/" } },
    description: "what proxy-redirect-from is replaced by",
  },
  /** a ConfigMap, as `qualify` (references.ts) reads it */
  headers: {
    ...location,
    section: "Backends",
    name: "custom-headers",
    refersTo: "ConfigMap",
    parse: blankless(basicText),
    values: values.configMap,
    default: none,
    example: "shop/headers",
    exampleWith: { keys: { "global-allowed-response-headers": "X-Shop" } },
    description:
      "its entries are headers of every response; the key global-allowed-response-headers must list them",
  },
} satisfies Family
