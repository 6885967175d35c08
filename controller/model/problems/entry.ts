/**
 * How bad it is. `error`: something is left out, closed, or will be refused by clients. `warning`: it works, but not as it was written, or
 * not for long. `info`: nothing is lost.
 */
export type Severity = "error" | "warning" | "info"

/** What there is to know of a Problem before one has met it. Texts are without a final dot. */
export interface ProblemEntry {
  readonly severity: Severity
  /** one sentence: what is wrong, and what wick does instead */
  readonly meaning: string
  /** one sentence in the imperative: what the owner of the object should do */
  readonly remedy: string
}

export function error(meaning: string, remedy: string): ProblemEntry {
  return { severity: "error", meaning, remedy }
}

export function warning(meaning: string, remedy: string): ProblemEntry {
  return { severity: "warning", meaning, remedy }
}

export function info(meaning: string, remedy: string): ProblemEntry {
  return { severity: "info", meaning, remedy }
}
