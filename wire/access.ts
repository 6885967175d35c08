import type { Fields } from "./field.ts"

// Who may request a path, and the lists of addresses that this goes by: docs/wire.md, ACCESS and ADDRESS_LIST.

const since = "0.1.0"

/** The checks of a route. A further one is a critical field: who does not know it must not let anybody in. */
export const access: Fields = [
  {
    name: "allow",
    type: "id",
    id: 1,
    isCritical: true,
    since,
    meaning: "id of the ADDRESS_LIST outside of which clients are refused",
  },
  {
    name: "deny",
    type: "id",
    id: 2,
    isCritical: true,
    since,
    meaning: "id of the ADDRESS_LIST inside of which clients are refused, those of `allow` too",
  },
  {
    name: "satisfy",
    type: "satisfy",
    id: 3,
    isCritical: true,
    since,
    meaning:
      "whether every kind of check has to let a request in, or one; addresses are one kind. Default `all`",
  },
]

export const addressList: Fields = [
  { name: "id", type: "name", isRequired: true, since, meaning: "" },
  {
    name: "ranges",
    type: "ranges",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning: "1 to 16384 networks as address/bits. IPv4 addresses are written as such, not mapped into IPv6",
  },
]
