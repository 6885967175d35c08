/**
 * A directive of nginx, read and understood: what somebody has written, without the way it was written. Printed anew (output/render/directives.ts);
 * no byte of the text that it was read from goes on.
 */
export interface TypedDirective {
  /** of a table of ours, but in blocks of data (`dataBlocks`), whose lines begin with any word */
  readonly name: string
  /** words as nginx's reader has them: quotes and escapes are resolved, `$name` is there where the directive takes variables. No NUL */
  readonly args: readonly string[]
  /** braces follow in the place of the semicolon */
  readonly block?: readonly TypedDirective[]
}

/** Directives in whose braces no directives stand, but lines of words. Source: nginx, handlers of map, geo, split_clients, types, charset_map. */
export const dataBlocks: ReadonlySet<string> = new Set([
  "map",
  "geo",
  "split_clients",
  "types",
  "charset_map",
])
