import type { CookieAffinity } from "../../model/backend.ts"
import type { Meta } from "../../model/objects/meta.ts"
import type { Problem } from "../../model/problem.ts"
import type { Script } from "../../model/route-records.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { RouteAccess } from "./access.ts"
import type { FrontEndFacts } from "./declarations.ts"
import type { RouteFilters } from "./filters.ts"
import type { LoadBalancing } from "./load-balancing.ts"
import type { Proxying } from "./proxying.ts"

/** What the annotations of an object say of all its requests, and where they say nothing the settings of all. */
export interface Said {
  readonly proxying: Proxying
  readonly access: RouteAccess
  readonly script?: Script
  /** of a path: redirects, and what its backend gets in its place; the same object for paths that it says the same of */
  readonly filters: (path: string) => RouteFilters
  readonly loadBalancing: LoadBalancing
  /** sessions; absent: none */
  readonly affinity?: CookieAffinity
  readonly problems: readonly Problem[]
}

/** Reads annotations for a family of objects whose own they are not. */
export interface SaidReader {
  /** @returns the same object while neither the object nor anything that it names changes */
  of(object: Annotated, objects: SaidWorld): Said
}

interface Annotated {
  readonly kind: string
  readonly meta: Meta
  /** of its requests; absent or none: those of all */
  readonly hostnames?: readonly string[]
}

/** Where the objects are that annotations may name. */
export type SaidWorld = Pick<Snapshot, "configMaps" | "secrets"> &
  Pick<FrontEndFacts, "tlsSecrets" | "policies" | "ruleSets">
