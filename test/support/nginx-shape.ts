import type { Directive } from "../../controller/core/snippets/syntax.ts"

// What two configurations have in common that differ in data only.

/** Blocks whose lines begin with data instead of a directive's name. */
const tables = new Set(["geo", "map", "split_clients", "types"])

/** Each of their words is an item of a list that a user writes. */
const lists = new Set([
  ...["brotli_types", "gzip_types", "zstd_types", "ssl_protocols"],
  ...["proxy_next_upstream", "grpc_next_upstream", "fastcgi_next_upstream"],
  ...["policy_readable_headers", "ingress_error_pages", "ingress_trusted_proxies"],
])

/**
 * The tree without what stands in its words: names, how many words each has, and what is inside of what. Two configurations of one shape
 * differ in data only. Order does not count, nor how long a list is; what `isListed` is counted once, as are the lines of a table.
 */
export function shapeOf(directives: readonly Directive[], isListed: (name: string) => boolean): string {
  const shapes = directives.map((directive) => ({ directive, shape: shapeOfOne(directive, isListed) }))
  const once = new Set(shapes.filter(({ directive }) => isListed(directive.name)).map(({ shape }) => shape))
  const others = shapes.filter(({ directive }) => !isListed(directive.name)).map(({ shape }) => shape)
  return [...others, ...once].sort().join("\n")
}

function shapeOfOne({ name, words, block }: Directive, isListed: (name: string) => boolean): string {
  const head = lists.has(name) ? name : `${name} ${words.length}`
  if (block === undefined) return head
  const inside = tables.has(name)
    ? [...new Set(block.map((line) => `${line.words.length} words`))].sort().join("\n")
    : shapeOf(block, isListed)
  return `${head} {\n${inside}\n}`
}
