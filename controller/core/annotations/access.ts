import { addressList } from "../options/address-list.ts"
import { asnList, countryList } from "../options/geo-lists.ts"
import { oneOf } from "../options/parser.ts"
import { none, values } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { blankless, trimmed } from "./parse.ts"
import { snippet } from "./snippets.ts"
import { trueByDefault } from "./syntax.ts"
import { anyText, basicText } from "./texts.ts"

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
  refusesEmpty: true,
} as const

const whereabouts = {
  ...effective,
  ...medium,
  isOwn: true,
  takesLines: true,
  default: none,
  whenRefused: "requests get 503",
  refusesEmpty: true,
  exampleWith: { keys: { "use-geoip2": "true" } },
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
  allowCountries: {
    ...whereabouts,
    ...countryList,
    name: "allow-countries",
    description:
      "countries of clients that may request the paths; all others get 403, and so do those of whom the database says nothing ([GeoIP](../guides/geoip.md))",
    example: "DE,FR",
  },
  denyCountries: {
    ...whereabouts,
    ...countryList,
    name: "deny-countries",
    description:
      "countries whose clients get 403, those of `allow-countries` too; of whom the database says nothing gets in",
    example: "KP",
  },
  allowAsns: {
    ...whereabouts,
    ...asnList,
    name: "allow-asns",
    description:
      "autonomous systems of clients that may request the paths; all others get 403, and so do those of whom the database says nothing",
    example: "AS64496,64511",
  },
  denyAsns: {
    ...whereabouts,
    ...asnList,
    name: "deny-asns",
    description:
      "autonomous systems whose clients get 403, those of `allow-asns` too; of whom the database says nothing gets in",
    example: "AS64496",
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
  authType: {
    ...effective,
    ...low,
    name: "auth-type",
    parse: trimmed((text) => oneOf("basic", "digest")(text.toLowerCase())),
    values: "`basic` or `digest`",
    default: none,
    whenRefused: "requests get 503",
    example: "basic",
    exampleWith: { annotations: { "auth-secret": "shop/users" } },
    description: "clients have to send a user name and password",
  },
  authRealm: {
    ...effective,
    ...medium,
    name: "auth-realm",
    parse: trimmed(anyText),
    values: "any text",
    default: "the empty text",
    needs: "auth-type",
    example: "Staff only",
    exampleWith: { annotations: { "auth-type": "basic", "auth-secret": "shop/users" } },
    description:
      "what clients are told that the password is for. `off` is a text, too. With `digest` only users of this realm get in",
  },
  /** as `qualify` (references.ts) reads it */
  authSecret: {
    ...effective,
    ...medium,
    name: "auth-secret",
    refersTo: "Secret",
    parse: blankless(basicText),
    values: values.secret,
    default: none,
    needs: "auth-type",
    whenRefused: "requests get 503",
    example: "shop/users",
    exampleWith: { annotations: { "auth-type": "basic" } },
    description: "its users and the hashes of their passwords ([operations.md](../operations.md#passwords))",
  },
  authSecretType: {
    ...effective,
    ...low,
    name: "auth-secret-type",
    parse: trimmed(oneOf("auth-file", "auth-map")),
    values: "`auth-file` or `auth-map`",
    default: "`auth-file`",
    needs: "auth-type",
    whenRefused: "requests get 503",
    example: "auth-map",
    exampleWith: { annotations: { "auth-type": "basic", "auth-secret": "shop/users" } },
    description:
      "whether users stand in the Secret's key `auth`, as htpasswd writes them, or each key is a user",
  },
  usesGlobalAuth: {
    ...effective,
    ...low,
    name: "enable-global-auth",
    ...trueByDefault,
    description: "whether `global-auth-url` of the ConfigMap protects the paths",
  },
  ofQuestion: {
    ...snippet,
    name: "auth-snippet",
    scope: "location",
    needs: "auth-url",
    example: 'proxy_set_header X-Shop "yes";',
    exampleWith: { annotations: { "auth-url": "http://auth.shop.svc/verify" } },
    whenRefused: "requests that the service is asked about get 503",
    description: "what nginx shall do when it asks the authentication service",
  },
} satisfies Family
