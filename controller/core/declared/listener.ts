import type { WebPort } from "../../model/listener.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import { complaint } from "./problems.ts"

/** The source of a port: the object that declares it, and the field. */
export interface PortAsker {
  readonly source: ObjectName
  readonly field: string
}

/** A port that hosts with a listener of their own are on, whatever the address. */
export interface DeclaredListener extends WebPort, PortAsker {
  /** that clients know it by; absent: `port` */
  readonly clientPort?: number
  /** HTTP/3 is asked for; that of one is that of all at the port */
  readonly hasHttp3?: boolean
}

/** @param reason goes on after a colon */
export function listenerProblem({ scheme, port, source, field }: DeclaredListener, reason: string): Problem {
  const message = `Cannot listen on ${scheme.toUpperCase()} port ${port}: ${reason}`
  return complaint(source, field, "listener-port-taken", message)
}
