import type { Model } from "../../model/model.ts"
import type { ObjectStatus } from "../../model/object-status.ts"
import type { Observed } from "../../model/observed.ts"
import type { Problem } from "../../model/problem.ts"
import type { DeclaredListener } from "../declared/listener.ts"
import type { DeclaredStream } from "../declared/stream.ts"

/** What one pass comes to. */
export interface Translation {
  readonly model: Model
  /** in an order that depends on the objects only */
  readonly problems: readonly Problem[]
  readonly observed: Observed
  /** what is said of the objects in their status; the same list while it does not change */
  readonly statuses: readonly ObjectStatus[]
  /** all who ask for `Fixed.listeners`, by port */
  readonly listeners: readonly DeclaredListener[]
  /** who asks for `Live.streams` */
  readonly streams: readonly DeclaredStream[]
}
