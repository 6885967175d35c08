import type { Script } from "../../model/route-records.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"

// An answer that nginx has kept it takes from its file before it writes a request, which is when the lists of a level (`proxy_hide_header`,
// `proxy_pass_header`) come into force. Clients get the headers of such an answer that the location lets through, so the lists are text there, too.

/** Names of the directives by which answers are kept. */
export type Caches = ReadonlySet<string>

const protocols = ["proxy", "fastcgi"] as const
const lists = protocols.flatMap((it) => [`${it}_hide_header`, `${it}_pass_header`])

/** @param around those that are on where the text stands */
export function cachesIn(text: readonly TypedDirective[], around: Caches = new Set()): Caches {
  const isOn = (name: string) => {
    const said = text.findLast((directive) => directive.name === name)
    return said === undefined ? around.has(name) : said.args[0] !== "off"
  }
  return new Set(protocols.map((it) => `${it}_cache`).filter(isOn))
}

/**
 * What is printed of a location, with the lists of its level where answers are kept.
 *
 * @param around as of `cachesIn`
 */
export function withHeadersOfKept(
  text: readonly TypedDirective[],
  script: Script | undefined,
  around: Caches,
): readonly TypedDirective[] {
  const { hides = [], passes = [] } = script?.levels?.[0] ?? {}
  if (hides.length + passes.length === 0) return text
  const caches = cachesIn(text, around)
  const said = protocols.filter((it) => caches.has(`${it}_cache`))
  if (said.length === 0) return text
  const lines = said.flatMap((it) => [
    ...hides.map((name) => ({ name: `${it}_hide_header`, args: [name] })),
    ...passes.map((name) => ({ name: `${it}_pass_header`, args: [name] })),
  ])
  return [...text.filter(({ name }) => !lists.includes(name)), ...lines]
}
