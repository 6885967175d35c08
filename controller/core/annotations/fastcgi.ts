import { accepted, refused } from "../options/parser.ts"
import { none, values } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { type AnnotationParser, blankless, trimmed } from "./parse.ts"
import { basicText } from "./texts.ts"

const index: AnnotationParser<string> = trimmed((text) =>
  /^[A-Za-z0-9._-]{1,255}$/.test(text)
    ? accepted(text)
    : refused("write at most 255 letters, digits and . - _"),
)

const location = {
  section: "Proxying",
  needs: "backend-protocol",
  exampleWith: { annotations: { "backend-protocol": "FCGI" } },
  default: none,
  scope: "location",
  risk: "medium",
  since: "0.1.0",
} as const

/** What FastCGI backends are told. */
export const fastcgiAnnotations = {
  index: {
    ...location,
    name: "fastcgi-index",
    parse: index,
    values: "a file name",
    example: "index.php",
    description: "file that is appended to a path that ends in a slash",
  },
  /** as `qualify` (references.ts) reads it */
  params: {
    ...location,
    name: "fastcgi-params-configmap",
    refersTo: "ConfigMap",
    parse: blankless(basicText),
    values: values.configMap,
    example: "shop/fastcgi",
    description: "its entries are parameters of every request; variables allowed",
  },
} satisfies Family
