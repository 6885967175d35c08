import type { Backend } from "../../model/backend.ts"
import type { BackendRef } from "./backend-ref.ts"
import type { LoadBalancing } from "./load-balancing.ts"

/** A Service port that is used, and what is said about it. */
export interface DeclaredBackend {
  readonly ref: BackendRef
  /** of no other backend, whichever front end declares it */
  readonly name: string
  readonly loadBalancing: LoadBalancing
  /** what goes into the model as it stands here */
  readonly fields: Omit<Backend, "name" | "loadBalance" | "policy" | "endpoints">
}
