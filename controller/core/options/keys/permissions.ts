import { family, key, planned } from "../key.ts"
import { falseByDefault } from "./syntax.ts"
import { headerNames } from "./texts.ts"

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
  allowSnippetAnnotations: planned("allow-snippet-annotations", "snippets-and-waf"),
  annotationValueWordBlocklist: planned("annotation-value-word-blocklist", "admission"),
  annotationsRiskLevel: planned("annotations-risk-level", "admission"),
  strictValidatePathType: planned("strict-validate-path-type", "admission"),
})
