import type { Model } from "../../model/model.ts"
import type { Observed } from "../../model/observed.ts"
import type { Problem } from "../../model/problem.ts"
import type { DeclaredListener } from "../declared/listener.ts"

/** What one pass comes to. */
export interface Translation {
  readonly model: Model
  /** in an order that depends on the objects only */
  readonly problems: readonly Problem[]
  readonly observed: Observed
  /** who asks for `Fixed.listeners`, in the same order */
  readonly listeners: readonly DeclaredListener[]
}
