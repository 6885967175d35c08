/** Keeps the audit log of web application firewalls within its bounds. */
export interface AuditLogKeeper {
  /** @param folder ""; there is none */
  follow(folder: string, maxBytes: number): void
  /** why it cannot be written or bounded: a phrase that fits after a colon; absent: it can, or there is none */
  readonly fault: string | undefined
}
