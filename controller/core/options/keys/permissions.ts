import { family, key } from "../key.ts"
import { accepted, list } from "../parser.ts"
import { none, type Syntax } from "../usage.ts"
import { falseByDefault, trueByDefault } from "./syntax.ts"
import { headerNames } from "./texts.ts"

const risks = ["low", "medium", "high", "parsed", "critical"] as const

/** How much harm a tenant can do with an annotation. `parsed`: with a snippet of which no text reaches nginx; ingress-nginx, where all of it does, has `critical`. */
export type Risk = (typeof risks)[number]

/** In any case; another word is the lowest, as in ingress-nginx: the key is set to close something. */
const riskLevel: Syntax<Risk> = {
  values: "`Critical`, `Parsed`, `High`, `Medium` or `Low`",
  parse: (text) => accepted(risks.find((risk) => risk === text.toLowerCase()) ?? "low"),
}

const words: Syntax<readonly string[]> = { values: "words separated by commas", parse: list }

const ofAdmission = { section: "Access control" } as const

/** Whether `risk` is above what is allowed. */
export function isAbove(risk: Risk, allowed: Risk): boolean {
  return risks.indexOf(risk) > risks.indexOf(allowed)
}

/** Whether text of a snippet may reach nginx's configuration as it is written. */
export function allowsRawText(settings: {
  readonly allowsSnippetAnnotations: boolean
  readonly maxRisk: Risk
}): boolean {
  return settings.allowsSnippetAnnotations && settings.maxRisk === "critical"
}

/** What Ingresses may do. */
export const permissions = family("Proxying", {
  allowsCrossNamespaceResources: falseByDefault(
    "allow-cross-namespace-resources",
    "whether annotations may name Secrets and ConfigMaps of other namespaces",
  ),
  /** in exactly this spelling */
  allowedResponseHeaders: key("global-allowed-response-headers", headerNames, "", {
    section: "Headers",
    example: "X-Frame-Options",
    description: "headers that the annotation custom-headers may set",
  }),
  allowsSnippetAnnotations: falseByDefault(
    "allow-snippet-annotations",
    "whether text of snippets that only nginx could understand may reach its configuration as it is written, if `annotations-risk-level` is `Critical`, too. What wick reads itself needs neither ([snippets](../guides/snippets.md))",
    ofAdmission,
  ),
  /** refused wherever they are in the value of an annotation */
  blockedWords: key("annotation-value-word-blocklist", words, "", {
    ...ofAdmission,
    shownDefault: none,
    example: "load_module,lua_package,_by_lua",
    description:
      "the admission webhook refuses Ingresses that have one of these words in the value of an annotation; those that are there already get 503",
  }),
  maxRisk: key("annotations-risk-level", riskLevel, "Parsed", {
    ...ofAdmission,
    example: "Medium",
    description:
      "the admission webhook refuses Ingresses with annotations of a greater risk; those that are there already get 503. Snippets are `Parsed`; `High`, the default of ingress-nginx, forbids them",
  }),
  checksPathTypes: trueByDefault(
    "strict-validate-path-type",
    "whether the admission webhook refuses paths of the types Exact and Prefix that hold anything but letters, digits and `. _ - /`",
    ofAdmission,
  ),
})
