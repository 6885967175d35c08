import type { EventSink, ObjectReference } from "./event.ts"
import type { Leadership } from "./leadership.ts"
import type { OwnedObjects } from "./owned-objects.ts"
import type { Source } from "./source.ts"
import type { Statuses } from "./status.ts"

/** Where objects live: an API server (`cluster/`) or a directory of manifests (`manifests/`). What is read, and what is written back. */
export interface Provider {
  readonly source: Source
  readonly statuses: Statuses
  readonly owned: OwnedObjects
  readonly events: EventSink
  readonly leadership: Leadership
  /** the Pod that this controller is; undefined where there are none */
  readonly pod: ObjectReference | undefined
  /** false where IngressClasses may not be listed: then spec.ingressClassName is not looked at */
  readonly readsClasses: boolean
  /** Gives up what others wait for, as the leadership. After that nothing is written any more. */
  close(): Promise<void>
}
