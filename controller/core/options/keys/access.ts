import type { AddressList } from "../../../model/access.ts"
import { addressList } from "../address-list.ts"
import { family, type KeyEntry, key } from "../key.ts"
import { limitByVariables } from "../limit-by.ts"
import { emptyIs } from "../parser.ts"
import { none } from "../usage.ts"
import { between } from "./syntax.ts"
import { pathBeginnings } from "./texts.ts"

/** Absent: no list. `closed`: a list that cannot be read, so nobody gets in. */
type MaybeList = AddressList | "closed" | undefined

function listKey(name: string, description: string, example: string): KeyEntry<MaybeList> {
  const parse = emptyIs<MaybeList>(undefined, addressList.parse)
  return key(name, { parse, values: addressList.values }, "", {
    description,
    example,
    shownDefault: none,
    whenRefused: { value: "closed", state: "cannot be used, so the paths that it is for get 503" },
  })
}

/** Who may come in where an Ingress says nothing. */
export const access = family("Access control", {
  allowedClients: listKey(
    "whitelist-source-range",
    "clients that may request paths; all others get 403. The Ingress's `allowlist-source-range` takes its place",
    "10.0.0.0/8,2001:db8::/32",
  ),
  deniedClients: listKey(
    "denylist-source-range",
    "clients that get 403. The Ingress's `denylist-source-range` takes its place",
    "192.0.2.0/24",
  ),
  /** paths of Ingresses that begin with one of these need no authentication */
  noAuthLocations: key("no-auth-locations", pathBeginnings, "/.well-known/acme-challenge", {
    example: "/health",
    description: "paths for which nobody is asked: neither `global-auth-url` nor an `auth-url`",
  }),
  maxBcryptCost: key("max-bcrypt-cost", between(4, 20), "13", {
    example: "12",
    description:
      "users whose password has a hash of bcrypt that costs more cannot log in; each one more takes twice as long, and 13 about half a second",
  }),
  /** parts of `by`, docs/wire.md, LIMITS */
  limitsBy: key("limit-conn-zone-variable", limitByVariables, "$binary_remote_addr", {
    description: "what tells clients apart for limits, where `wick.dev/limit-by` says nothing",
    example: "$http_x_api_key",
    section: "Limits",
  }),
})
