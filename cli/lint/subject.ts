import type { Said } from "../../controller/core/annotations/said.ts"
import type { Options } from "../../controller/core/options/flags.ts"
import type { Settings } from "../../controller/core/options/settings.ts"
import type { ConfigMap } from "../../controller/model/objects/config-map.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"
import type { ObjectName, Problem } from "../../controller/model/problem.ts"
import type { Snapshot } from "../../controller/model/snapshot.ts"

/** An Ingress with its annotations as they were read. */
export interface ReadIngress extends Said {
  readonly ingress: Ingress
}

/** An Ingress that is held against the differences, with all that is known about it. */
export interface Subject extends ReadIngress {
  /** its own, and those of the objects that it uses */
  readonly problems: readonly Problem[]
  readonly around: Surroundings
}

/** What is the same for all Ingresses. */
export interface Surroundings {
  readonly objects: Snapshot
  /** those of `objects`, in the same order */
  readonly ingresses: readonly ReadIngress[]
  readonly options: Options
  readonly settings: Settings
  /** the one of `--configmap`, as far as it was read */
  readonly configMap: ConfigMap | undefined
  /** of that ConfigMap */
  readonly settingProblems: readonly Problem[]
  /** which Ingresses have a host (lower-case, `_` for every other one) */
  readonly byHost: ReadonlyMap<string, readonly ReadIngress[]>
  /** short names of backends that two Services share */
  readonly sharedBackendNames: ReadonlySet<string>
}

/** What makes a difference concern an Ingress. */
export interface Evidence {
  readonly object: ObjectName
  /** where it stands there, as in a Problem; "" for the object as a whole */
  readonly field: string
  readonly problem?: Problem
}

/** @returns nothing when the Ingress is not concerned */
export type Matcher = (subject: Subject) => readonly Evidence[]
