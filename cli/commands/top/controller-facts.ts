import { askController } from "../ask-controller.ts"

/** What the controller says of itself: a part of what `GET /api/overview` answers on its socket. */
export interface ControllerFacts {
  readonly trouble?: string
  readonly versions: { readonly wick: string; readonly nginx: string }
  /** how many stand, by severity */
  readonly problems: { readonly error: number; readonly warning: number; readonly info: number }
  readonly counts: { readonly hosts: number; readonly backends: number; readonly endpoints: number }
  readonly nowMs: number
  /** since the controller was started */
  readonly reloads: number
  readonly lastReload?: {
    readonly atMs: number
    readonly kind: "start" | "reload" | "failed" | "died"
    readonly reasons: readonly string[]
  }
}

/** Undefined when no controller answers there. */
export function readController(socketPath: string): Promise<ControllerFacts | undefined> {
  return askController<ControllerFacts>(socketPath, "/api/overview")
}
