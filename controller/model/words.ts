// Printed by `npm run wire` from wire/: change it there.

/** Algorithms that a backend is given by name. */
export const loadBalances = ["round_robin", "ewma", "least_conn", "p2c"] as const

/** The words of nginx's `proxy_next_upstream`, in its order. */
export const nextUpstreamWords = [
  "error",
  "timeout",
  "invalid_header",
  "http_500",
  "http_502",
  "http_503",
  "http_504",
  "http_403",
  "http_404",
  "http_429",
  "non_idempotent",
  "off",
] as const
