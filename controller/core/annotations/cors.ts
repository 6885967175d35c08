import { type Family, planned } from "./entry.ts"

const low = { scope: "ingress", risk: "low" } as const
const medium = { scope: "ingress", risk: "medium" } as const

/** What pages of other origins may do. */
export const corsAnnotations = {
  enableCors: planned("enable-cors", "access-control", low),
  corsAllowOrigin: planned("cors-allow-origin", "access-control", medium),
  corsAllowMethods: planned("cors-allow-methods", "access-control", medium),
  corsAllowHeaders: planned("cors-allow-headers", "access-control", medium),
  corsAllowCredentials: planned("cors-allow-credentials", "access-control", low),
  corsExposeHeaders: planned("cors-expose-headers", "access-control", medium),
  corsMaxAge: planned("cors-max-age", "access-control", low),
} satisfies Family
