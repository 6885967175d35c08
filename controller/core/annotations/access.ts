import { addressList } from "../options/address-list.ts"
import { oneOf } from "../options/parser.ts"
import { type Family, fromConfigMap, planned } from "./entry.ts"
import { trimmed } from "./parse.ts"
import { trueByDefault } from "./syntax.ts"

const effective = { section: "Access control", since: "0.1.0" } as const
const low = { scope: "location", risk: "low" } as const
const medium = { scope: "location", risk: "medium" } as const

const addresses = {
  ...effective,
  ...medium,
  ...addressList,
  takesLines: true,
  default: fromConfigMap,
  whenRefused: "requests get 503",
} as const

/** Who may come in: by address, by password, or by asking somebody else. */
export const accessAnnotations = {
  allow: {
    ...addresses,
    name: "allowlist-source-range",
    aliases: ["whitelist-source-range"],
    description: "clients that may request the paths; all others get 403",
    example: "10.0.0.0/8,2001:db8::/32",
  },
  deny: {
    ...addresses,
    name: "denylist-source-range",
    description: "clients that get 403, those of `allowlist-source-range` too",
    example: "192.0.2.0/24",
  },
  satisfy: {
    ...effective,
    ...low,
    name: "satisfy",
    parse: trimmed(oneOf("all", "any")),
    values: "`all` or `any`",
    default: "`all`",
    example: "any",
    description: "whether addresses and authentication have to let a request in, or one of them",
  },
  authType: planned("auth-type", "access-control", { ...low, isGuard: true }),
  authRealm: planned("auth-realm", "access-control", medium),
  authSecret: planned("auth-secret", "access-control", medium),
  authSecretType: planned("auth-secret-type", "access-control", low),
  usesGlobalAuth: {
    ...effective,
    ...low,
    name: "enable-global-auth",
    ...trueByDefault,
    description: "whether `global-auth-url` of the ConfigMap protects the paths",
  },
  authSnippet: planned("auth-snippet", "snippets-and-waf", { ...low, risk: "critical" }),
} satisfies Family
