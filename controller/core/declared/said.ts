import type { CookieAffinity } from "../../model/backend.ts"
import type { Meta } from "../../model/objects/meta.ts"
import type { Problem } from "../../model/problem.ts"
import type { Script } from "../../model/route-records.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { RouteAccess } from "./access.ts"
import type { FrontEndFacts } from "./declarations.ts"
import type { LoadBalancing } from "./load-balancing.ts"
import type { Proxying } from "./proxying.ts"

/** What the annotations of an object say of all its requests, and where they say nothing the settings of all. */
export interface Said {
  readonly proxying: Proxying
  readonly access: RouteAccess
  readonly script?: Script
  readonly loadBalancing: LoadBalancing
  /** sessions; absent: none */
  readonly affinity?: CookieAffinity
  readonly problems: readonly Problem[]
}

/** Reads annotations for a family of objects whose own they are not. */
export interface SaidReader {
  /** @returns the same object while neither the object nor anything that it names changes */
  of(object: { readonly kind: string; readonly meta: Meta }, objects: SaidWorld): Said
}

/** Where the objects are that annotations may name. */
export type SaidWorld = Pick<Snapshot, "configMaps" | "secrets"> &
  Pick<FrontEndFacts, "tlsSecrets" | "policies" | "ruleSets">
