import { withKnownVariables } from "../options/known-variables.ts"
import { accepted, type Parsed, refused } from "../options/parser.ts"
import { none } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { trueOrFalse } from "./syntax.ts"

const closing = { whenRefused: "requests get 503" } as const
const setting = { section: "Web application firewall", scope: "ingress", since: "0.1.0" } as const
const with_ = { exampleWith: { annotations: { "enable-modsecurity": "true" } } } as const

/** Of the Ingress's namespace, or NAMESPACE/NAME. */
function configMapName(text: string): Parsed<string> {
  const plain = text.replaceAll(" ", "")
  return /^([a-z0-9][a-z0-9.-]*\/)?[a-z0-9][a-z0-9.-]*$/.test(plain)
    ? accepted(plain)
    : refused("write the name of a ConfigMap, or NAMESPACE/NAME")
}

/** What logs call a request: letters, digits and variables of nginx (annotation parser of ingress-nginx). */
function transactionId(text: string): Parsed<string> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what users write
  if (!/^[A-Za-z0-9\-_${}]{1,256}$/.test(text)) return refused("write letters, digits, - _ $name and ${name}")
  return withKnownVariables(text)
}

/** A web application firewall (docs/guides/modsecurity.md). */
export const modsecurityAnnotations = {
  isOn: {
    ...setting,
    ...trueOrFalse,
    ...closing,
    risk: "low",
    name: "enable-modsecurity",
    default: fromConfigMap,
    example: "true",
    description:
      "rules of ModSecurity look at requests: those of `modsecurity-snippet`, or without one the recommended ones, which only report. `false`: none, whatever the ConfigMap says",
  },
  hasCoreRules: {
    ...setting,
    ...trueOrFalse,
    ...closing,
    ...with_,
    risk: "low",
    name: "enable-owasp-core-rules",
    default: fromConfigMap,
    example: "true",
    description:
      "the OWASP Core Rule Set, where ModSecurity is on; what it does with a request is up to `SecRuleEngine`",
  },
  snippet: {
    ...setting,
    ...closing,
    ...with_,
    risk: "parsed",
    name: "modsecurity-snippet",
    parse: (text) => accepted(text),
    keepsLines: true,
    values: "[directives of ModSecurity](../guides/modsecurity.md)",
    default: none,
    example: "SecRuleEngine On",
    description:
      "rules and settings, where ModSecurity is on; they take the place of the recommended ones. What could reach files, programs or other Ingresses is refused, and closes the paths of the Ingress",
  },
  rules: {
    ...setting,
    ...closing,
    ...with_,
    risk: "parsed",
    name: "modsecurity-rules",
    isOwn: true,
    refersTo: "ConfigMap",
    parse: configMapName,
    values: "name of a ConfigMap, or `namespace/name`",
    default: none,
    example: "rules",
    description:
      "each key of the ConfigMap is a text of rules, in the order of their names, behind those of `modsecurity-snippet`, where ModSecurity is on",
  },
  transactionId: {
    ...setting,
    ...with_,
    risk: "high",
    name: "modsecurity-transaction-id",
    parse: transactionId,
    values: "letters, digits, `-`, `_` and variables of nginx",
    default: "`$req_id`",
    example: "$request_id",
    description: "what ModSecurity's logs call a request",
  },
} satisfies Family
