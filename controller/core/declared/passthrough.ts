import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import type { BackendRef } from "./backend-ref.ts"
import { complaint, hostText } from "./problems.ts"

/** A server name whose TLS connections go to a Service port undecrypted. */
export interface DeclaredPassthrough {
  /** exact */
  readonly host: string
  /** the object that asks for it, and where */
  readonly source: ObjectName
  readonly field: string
  readonly backend: BackendRef
}

/**
 * @param reason goes on after a colon
 * @param instead what becomes of the connections
 */
export function passthroughProblem(
  { host, source, field }: Omit<DeclaredPassthrough, "backend">,
  code: ProblemCode,
  reason: string,
  instead = "nginx decrypts them",
): Problem {
  const message = `Cannot pass TLS connections for ${hostText(host)} through: ${reason}; ${instead}`
  return complaint(source, field, code, message)
}
