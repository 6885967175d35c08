// Work that must not grow faster than its input is tried with one so large that the wrong way takes hours.
import { createContext, Script } from "node:vm"
import { patienceMs } from "../../harness/until.ts"

/** Does something without a pause, and gives up when it does not end, even in the middle of a regular expression. @throws then */
export function ends<T>(work: () => T): T {
  const context = createContext({ work })
  return new Script("work()").runInContext(context, { timeout: patienceMs })
}
