/** The foreign functions about a request: its variables, its cookies, patterns. */

import { Status } from "../../harness/abi.ts"
import type { Call } from "./foreign.ts"
import type { Worker } from "./host.ts"

export function requestFunctions(worker: Worker): Record<string, Call> {
  const found = (text: string | undefined) =>
    text === undefined ? { status: Status.notFound } : { status: Status.ok, result: Buffer.from(text) }
  return {
    wick_expand: (args) => found(expand(Buffer.from(args).toString(), worker.variables)),
    wick_get_cookie: (args) => found(worker.cookies.get(Buffer.from(args).toString())),
    wick_set_cookie: (args) => {
      const [name, value] = split(args)
      worker.cookiesSet.set(name, value)
      return { status: Status.ok }
    },
    wick_match: (args) => {
      const [pattern, subject] = split(args)
      try {
        return {
          status: Status.ok,
          result: Buffer.from([Number(new RegExp(pattern).test(subject)), 0, 0, 0]),
        }
      } catch {
        return { status: Status.badArgument }
      }
    },
  }
}

function expand(template: string, variables: ReadonlyMap<string, string>): string {
  return template.replace(/\\\$|\$\{(\w+)\}|\$(\w+)/g, (text, braced?: string, bare?: string) =>
    text === "\\$" ? "$" : (variables.get(braced ?? bare ?? "") ?? ""),
  )
}

/** u32 length of the first · first · second. */
function split(args: Uint8Array): [string, string] {
  const bytes = Buffer.from(args)
  const end = 4 + bytes.readUInt32LE(0)
  return [bytes.toString("utf8", 4, end), bytes.toString("utf8", end)]
}
