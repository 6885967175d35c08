import type { ExternalAuth } from "../../model/access.ts"
import type { Location } from "../../model/location.ts"
import type { ObjectName } from "../../model/problem.ts"
import type { SecretFile } from "../../model/secret-file.ts"
import type { BackendRef } from "./backend-ref.ts"

/** An authentication service, and where the question is asked for: one object for all paths of an object and a host. */
export interface DeclaredAuth {
  readonly ref: BackendRef
  readonly auth: ExternalAuth
  /** the location that `auth` names, and its files; absent: it is always there */
  readonly tls?: { readonly location: Location; readonly files: readonly SecretFile[] }
  /** for Problems: the object that names it, the field, and what people call that */
  readonly object: ObjectName
  readonly field: string
  readonly asker: string
}
