import type { Fault } from "./statement.ts"

/** A phrase that goes on after the name of the text. */
export function faultText({ line, reason, instead }: Fault): string {
  const rest = instead === undefined ? "" : `; write ${instead}`
  return `in line ${line}, ${reason}${rest}`
}

export function firstFault(faults: readonly Fault[]): string {
  const [first] = faults
  return first === undefined ? "" : faultText(first)
}
