import { type Family, planned } from "./entry.ts"

const location = { scope: "location", risk: "low" } as const

/** How much a client may have. */
export const limitAnnotations = {
  limitConnections: planned("limit-connections", "access-control", location),
  limitRps: planned("limit-rps", "access-control", location),
  limitRpm: planned("limit-rpm", "access-control", location),
  limitBurstMultiplier: planned("limit-burst-multiplier", "access-control", location),
  limitAllowlist: planned("limit-allowlist", "access-control", { ...location, aliases: ["limit-whitelist"] }),
} satisfies Family
