// Rule sets on disk as the controller writes them, and what a route says of its own.
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CRITICAL, field } from "./field.ts"

/** What libmodsecurity reads: text, or a file. */
export type RulePart = { readonly text: string } | { readonly file: string }

/** The web application firewall of a route. */
export interface Waf {
  readonly owner: string
  /** As `writeRules` gives it. */
  readonly rules: string
  /** Template. */
  readonly transactionId?: string
  readonly failsOpen?: true
}

/** Writes a set of rules into this directory; returns the name that it has there. */
export function writeRules(directory: string, parts: readonly RulePart[]): string {
  const bytes = JSON.stringify({ parts })
  const digest = createHash("sha256").update(bytes).digest("hex")
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${digest}.json`), bytes)
  return digest
}

export function wafOf({ owner, rules, transactionId, failsOpen }: Waf): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, owner),
    field(2 + CRITICAL, rules),
    field(3, transactionId),
    field(4, failsOpen === undefined ? undefined : Buffer.of(1)),
  ])
}
