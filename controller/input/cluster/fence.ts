import type { Leadership } from "../provider/leadership.ts"
import type { Api } from "./api.ts"

/**
 * Looks at the clocks before each request: in a process that was stopped, or is very busy, the timer that ends a term is late, and what was
 * begun in that term would go on until then. Requests that belong to no term pass.
 */
export function fenced(api: Api, leadership: Pick<Leadership, "isLeader">): Api {
  return {
    send: (request, signal) => {
      void leadership.isLeader // asking ends a term that is over, and so aborts the signals that come from it
      return api.send(request, signal)
    },
    watch: (request, signal) => api.watch(request, signal),
  }
}
