import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import type { StreamListener } from "../../model/stream-listener.ts"
import type { BackendRef } from "./backend-ref.ts"
import { complaint } from "./problems.ts"

/** A port of TCP or UDP whose connections or datagrams go to a Service port. */
export interface DeclaredStream extends StreamListener {
  readonly backend: BackendRef
  /** the object that asks for it, and where */
  readonly source: ObjectName
  readonly field: string
  /** of TCP: clients send a PROXY header */
  readonly acceptsProxyProtocol: boolean
  /** of TCP: the Service gets a PROXY header of this version; absent: none */
  readonly sendsProxyProtocol?: "v1" | "v2"
}

/** @param reason goes on after a colon */
export function streamProblem(
  { protocol, port, source, field }: Omit<DeclaredStream, "backend">,
  code: ProblemCode,
  reason: string,
): Problem {
  const message = `Cannot serve ${protocol.toUpperCase()} port ${port}: ${reason}`
  return complaint(source, field, code, message)
}
