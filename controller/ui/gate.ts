import type { IncomingMessage } from "node:http"
import { namesLoopback } from "../support/loopback.ts"
import { type Reply, refusal } from "./reply.ts"

/** Who may ask. */
export interface Gate {
  /** @returns what is answered instead; undefined when the question may be answered */
  readonly check: (request: IncomingMessage, path: string) => Promise<Reply | undefined>
}

/** For a socket that only the controller's account may connect to. */
export const openGate: Gate = {
  check: async () => undefined,
}

/** For a loopback address: whoever is on this machine may ask, but no page from elsewhere through a browser that is. */
export const loopbackGate: Gate = {
  check: async ({ headers }) =>
    namesLoopback(headers.host)
      ? undefined
      : refusal(421, "This page is served to localhost, 127.0.0.1 and [::1] only: ask by one of these names"),
}
