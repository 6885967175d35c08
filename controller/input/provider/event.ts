import type { ObjectName } from "../../model/problem.ts"

/** An object of the cluster as an Event refers to it. */
export interface ObjectReference extends ObjectName {
  /** "" when it has none, as in manifests; `kubectl describe` finds Events by it */
  readonly uid: string
}

/** One thing that happened to an object, as a Kubernetes Event says it. */
export interface ObjectEvent {
  readonly object: ObjectReference
  readonly type: "Normal" | "Warning"
  /** one word, as `RELOAD` or `AnnotationParsingFailed` */
  readonly reason: string
  readonly message: string
}

/** Where Events go. */
export interface EventSink {
  /**
   * Never waits and never throws: what cannot be written is given up.
   *
   * @param term what is not written yet when it aborts is given up, too: Leadership's, for what only the leader writes
   */
  write(event: ObjectEvent, term?: AbortSignal): void
}
