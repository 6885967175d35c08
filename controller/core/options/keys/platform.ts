import { family, key } from "../key.ts"
import { list } from "../parser.ts"
import { none, type Syntax } from "../usage.ts"
import { hostRules, noHosts } from "./host-rules.ts"

const annotationKeys: Syntax<readonly string[]> = {
  values: "names of annotations between commas: whole keys, or without a prefix those of the controller",
  parse: list,
}

/** What those who run a platform ask of every Ingress; only wick has these. */
export const platform = family("Access control", {
  /** whole keys, or names below the prefix of annotations */
  requiredAnnotations: key("admission-required-annotations", annotationKeys, "", {
    shownDefault: none,
    example: "example.test/team",
    description: "the admission webhook refuses Ingresses without these annotations",
  }),
  forbiddenAnnotations: key("admission-forbidden-annotations", annotationKeys, "", {
    shownDefault: none,
    example: "auth-url,server-alias",
    description: "the admission webhook refuses Ingresses with these annotations",
  }),
  hostRules: key("admission-hosts", hostRules, "", {
    shownDefault: none,
    example: "shop: shop.test *.shop.test; *: *.apps.test",
    description: "hosts that the admission webhook lets the Ingresses of a namespace have",
    whenRefused: { value: noHosts, state: "cannot be used, so no host is let in" },
  }),
})
