import type { Backend } from "./backend.ts"
import type { Http } from "./http.ts"
import type { Policy } from "./policy.ts"
import type { Host } from "./route.ts"
import type { SecretFile } from "./secret-file.ts"

/**
 * Everything nginx should serve. A change in `fixed` needs a reload, a change in `live` is posted: the place of a field is the decision.
 * Lists are in canonical order (by name, byte-wise), so equal inputs give equal models whatever order they came in.
 */
export interface Model {
  readonly fixed: Fixed
  readonly live: Live
}

export interface Fixed {
  readonly http: Http
  readonly policies: readonly Policy[]
  /** what policies name; absent: nothing. Each once, by name */
  readonly files?: readonly SecretFile[]
}

export interface Live {
  readonly backends: readonly Backend[]
  readonly hosts: readonly Host[]
}
