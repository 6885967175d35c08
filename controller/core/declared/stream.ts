import type { AddressList } from "../../model/access.ts"
import type { LoadBalance } from "../../model/backend.ts"
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
  /** of the backend; absent: round robin */
  readonly loadBalance?: LoadBalance
  readonly settings: StreamSettings
}

/** What one port has of its own; what is absent is as the ConfigMap of settings, or nginx, has it. */
export interface StreamSettings {
  readonly timeoutMs?: number
  readonly connectTimeoutMs?: number
  /** of UDP: datagrams of the endpoint that end a session */
  readonly responses?: number
  /** of UDP: datagrams of the client after which a session takes no more; 0: any number */
  readonly requests?: number
  /** of a client at a time */
  readonly connections?: number
  /** new ones of a client */
  readonly connectionsPerSecond?: number
  /** per second and session; 0: no limit */
  readonly uploadBytes?: number
  readonly downloadBytes?: number
  /** clients that are let in; absent: all */
  readonly allow?: AddressList
  /** clients that are not */
  readonly deny?: AddressList
}

/** @param reason goes on after a colon */
export function streamProblem(
  { protocol, port, source, field }: Pick<DeclaredStream, "protocol" | "port" | "source" | "field">,
  code: ProblemCode,
  reason: string,
): Problem {
  const message = `Cannot serve ${protocol.toUpperCase()} port ${port}: ${reason}`
  return complaint(source, field, code, message)
}
