import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { namesLoopback } from "../controller/support/loopback.ts"
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

/** For a loopback address: everybody on this machine may ask, but no page from elsewhere through a browser that is. */
export const loopbackGate: Gate = {
  async check({ headers }, path) {
    if (!namesLoopback(headers.host))
      return refusal(421, "Only localhost, 127.0.0.1 and [::1] are answered here: ask by one of these names")
    return isOfAnotherPage(headers, path)
      ? refusal(403, "No page of another origin may ask: open this address by itself")
      : undefined
  },
}

/**
 * A page of another origin could not read what is answered, but make work here, and learn how long it takes. It may lead here: to the page, not
 * to what the page asks for. Source: Fetch Metadata; Origin for browsers that do not send that.
 */
function isOfAnotherPage({ host, origin, ...headers }: IncomingHttpHeaders, path: string): boolean {
  const site = headers["sec-fetch-site"]
  if (site === undefined) return origin !== undefined && origin !== `http://${host}`
  const isLedHere = headers["sec-fetch-mode"] === "navigate" && !path.startsWith("/api/")
  return site !== "same-origin" && site !== "none" && !isLedHere
}
