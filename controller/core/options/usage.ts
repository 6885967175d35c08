import { loadBalances } from "../../model/words.ts"
import type { Parser } from "./parser.ts"

/** How an annotation or a key of the ConfigMap is used: the words of docs/reference, which `npm run docs` prints. Markdown, except examples. */
export interface Usage {
  /** what may be written */
  readonly values: string
  /** one such value that is not the default */
  readonly example: string
  /** shown in place of an example that nobody should copy */
  readonly shownExample?: string
  /** what the example needs to have an effect */
  readonly exampleWith?: Setup
  /** what it does: a phrase without a final dot that makes sense without its neighbours */
  readonly description: string
}

export interface Setup {
  /** by name; those of ingress-nginx unless they have a prefix */
  readonly annotations?: Readonly<Record<string, string>>
  readonly keys?: Readonly<Record<string, string>>
  /** as on the command line */
  readonly flags?: readonly string[]
}

/** A way to write a value: how it is read, and the words for a person. */
export interface Syntax<T> {
  readonly parse: Parser<T>
  readonly values: string
}

/** How values are written that annotations and keys have in common. */
export const values = {
  boolean: "`true` or `false`",
  onOff: "`on` or `off`",
  seconds: "whole seconds, no unit",
  count: "a whole number",
  ratio: "a number from 0 to 1",
  size: "a number of bytes, or one with `k`, `m` or `g`",
  configMap: "`namespace/name` of a ConfigMap",
  secret: "`namespace/name` of a Secret",
  algorithm: `${loadBalances.map((name) => `\`${name}\``).join(", ")}, or \`wasm/\` and the name of a policy`,
} as const

/** In place of a default where there is none. */
export const none = "–"
