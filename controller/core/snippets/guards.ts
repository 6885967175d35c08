import { shown } from "../../model/shown.ts"
import { reasonOf } from "../../support/failure.ts"
import { equivalentOf } from "./equivalents.ts"
import { isHarmless, type SnippetPlace } from "./harmless.ts"
import { type Directive, parseNginxSyntax } from "./syntax.ts"

// In comes text of nginx's configuration that nobody puts in force, out goes whether requests may get in for want of it.

const usualPorts: ReadonlySet<number> = new Set([80, 443])

/**
 * What of a text may keep requests out of where it stands; undefined: nothing does. What a directive does that no list
 * knows may be just that: everything may, but for what is known to be harmless.
 *
 * @param ports at which routes are served
 * @returns a phrase that goes on after "may keep requests out: ", with what to write instead where there is something
 */
export function guardIn(
  text: string,
  place: SnippetPlace,
  ports: ReadonlySet<number> = usualPorts,
): string | undefined {
  const parsed = parse(text)
  if (typeof parsed === "string") return `it cannot be read (${parsed})`
  const found = parsed.find(
    (it) => !isHarmless(it.name, place, it.block !== undefined) && !isElsewhere(it, place, ports),
  )
  return found && directive(found.name)
}

/** A server of its own on other ports than those of routes keeps nobody out of these. */
export function isElsewhere(
  { name, block }: Directive,
  place: SnippetPlace,
  ports: ReadonlySet<number> = usualPorts,
): boolean {
  if (place !== "http" || name !== "server" || block === undefined) return false
  const listens = block.filter((it) => it.name === "listen")
  return listens.length > 0 && listens.every(({ words: [at = ""] }) => isOtherPort(at, ports))
}

function isOtherPort(at: string, ports: ReadonlySet<number>): boolean {
  if (at.startsWith("unix:")) return true
  const port = /(?:^|:)(\d{1,5})$/.exec(at)?.[1]
  return port !== undefined && !ports.has(Number(port))
}

function parse(text: string): ReturnType<typeof parseNginxSyntax> | string {
  try {
    return parseNginxSyntax(text)
  } catch (error) {
    return reasonOf(error)
  }
}

function directive(name: string): string {
  const instead = equivalentOf(name)
  return `directive ${shown(name)}${instead === undefined ? "" : `, for which there is ${instead}`}`
}
