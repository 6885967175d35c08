import type { ExternalAuth } from "../../model/access.ts"
import type { ObjectName } from "../../model/problem.ts"
import type { BackendRef } from "./backend-ref.ts"
import type { DeclaredBackendTls } from "./backend-tls.ts"

/** An authentication service, and what is asked for: one object for all paths of an object and a host. */
export interface DeclaredAuth {
  readonly ref: BackendRef
  readonly auth: ExternalAuth
  /** what `auth.backendTls` names comes from here; absent: the service is not verified */
  readonly tls?: DeclaredBackendTls
  /** for Problems: the object that names it, the field, and what people call that */
  readonly object: ObjectName
  readonly field: string
  readonly asker: string
}
