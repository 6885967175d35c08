/**
 * The world is unwell: a file, a process or a peer did not do what it should. The caller that can retry does; nobody logs it and passes it on.
 * `code` is kebab-case and stable; the message says the action, the name, the state.
 */
export class Failure extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "Failure"
    this.code = code
  }
}

/** The `code` of a system error (`ENOENT`, `EADDRINUSE`), or "" when it is something else. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
}

/** What an error says, for a message that names the action and the object itself. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
