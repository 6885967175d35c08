/**
 * Structured lines: a constant sentence plus fields, `log.info({ ingress, generation }, "Posted changes")`. Errors go into the field `err`.
 * Log a thing where it is handled, once.
 */
export interface Log {
  readonly debug: LogLine
  readonly info: LogLine
  readonly warn: LogLine
  readonly error: LogLine
  readonly fatal: LogLine
}

interface LogLine {
  (sentence: string): void
  (fields: object, sentence: string): void
}
