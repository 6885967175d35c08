import { family, key } from "../key.ts"
import { list } from "../parser.ts"
import { none, type Syntax } from "../usage.ts"
import { hostRules, noHosts } from "./host-rules.ts"
import { trueByDefault } from "./syntax.ts"

const annotationKeys: Syntax<readonly string[]> = {
  values: "names of annotations separated by commas: whole keys, or without a prefix those of the controller",
  parse: list,
}

/** What those who run a platform ask of every Ingress; only wick has these. */
export const platform = family("Access control", {
  /** whole keys, or names below the prefix of annotations */
  requiredAnnotations: key("admission-required-annotations", annotationKeys, "", {
    shownDefault: none,
    example: "example.test/team",
    description:
      "the admission webhook refuses Ingresses without these annotations; those that are there already get 503",
  }),
  forbiddenAnnotations: key("admission-forbidden-annotations", annotationKeys, "", {
    shownDefault: none,
    example: "auth-url,server-alias",
    description:
      "the admission webhook refuses Ingresses with these annotations, under today's names or older ones; those that are there already get 503",
  }),
  hostRules: key("admission-hosts", hostRules, "", {
    shownDefault: none,
    example: "shop: shop.test *.shop.test; *: *.apps.test",
    description:
      "hosts that the Ingresses of a namespace may have, by rules, default backends, aliases and redirects between www; the admission webhook refuses others, and where they are there already they are left out",
    whenRefused: { value: noHosts, state: "cannot be used, so no host is let in" },
  }),
  /** those of the webhook hold for what is there, too */
  enforcesRules: trueByDefault(
    "enforce-admission-rules",
    "whether Ingresses that are there already are held against `admission-hosts`, `admission-forbidden-annotations`, `admission-required-annotations`, `annotations-risk-level` and `annotation-value-word-blocklist`, too; otherwise the admission webhook alone is",
  ),
})
