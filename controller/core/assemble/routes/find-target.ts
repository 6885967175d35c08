import type { BackendRef } from "../../declared/backend-ref.ts"
import type { Target } from "../backends/resolved-backends.ts"

/** Without a reference: the default backend. */
export type FindTarget = (ref: BackendRef | undefined) => Target
