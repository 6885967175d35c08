import { fieldPath } from "../../../model/field-path.ts"
import type { TypedDirective } from "../../../model/typed-directive.ts"
import { nobody } from "../../declared/rule.ts"
import type { Context } from "../../options/context.ts"
import type { CompiledLevel } from "../../snippets/compiled.ts"
import { guardIn } from "../../snippets/guards.ts"
import { inherit } from "../../snippets/levels.ts"
import { levelAround } from "../../snippets/of-locations.ts"
import { mayStandIn } from "../../snippets/table.ts"
import type { ServerSnippet } from "../parsed/server-snippet.ts"
import type { SharedParts } from "./shared-parts.ts"
import { type Around, aroundOf } from "./shared-snippets.ts"
import { serverLocations } from "./snippet-locations.ts"

/** What the ConfigMap alone says of server blocks. @returns undefined: nothing, or nothing of it is in force */
export function everyServer(
  { settings, options: { configMap } }: Context,
  shared: SharedParts,
): ServerSnippet | undefined {
  const { server, http, text: textOf } = shared.snippets
  const text = textOf("server")
  const isEmpty = text.trim() === "" && isPlain(http)
  if (isEmpty || settings.closedByKeys.includes("all")) return undefined
  const field = fieldPath("data", ["server-snippet"])
  const made = serverSnippet(server, text, field, { source: nobody, shared, settings })
  return { ...made, source: { kind: "ConfigMap", namespace: "", name: "", ...configMap } }
}

/**
 * What an Ingress says of the server blocks of its hosts, with what the ConfigMap says of all, which is `compiled` as a part of it.
 *
 * @param text of the Ingress alone
 */
export function serverSnippet(
  compiled: CompiledLevel,
  text: string,
  field: string,
  context: Parameters<typeof serverLocations>[3],
): ServerSnippet {
  const { http, caches } = context.shared.snippets
  const { script, text: typed } = compiled
  const own = aroundOf(compiled)
  const { upstreamHeaders: _, ...level } = levelAround(inherit(http.level, own.level))
  const access = { ...http.access, ...own.access }
  const overrides = { ...http.overrides, ...own.overrides }
  return {
    source: context.source,
    field,
    text,
    mayGuard: guardIn(text, "server") !== undefined,
    steps: script?.steps ?? [],
    routes: serverLocations(compiled, http, field, context),
    serverText: typed.filter((directive) => !fitsLocation(directive)),
    ofPaths: { level, access, overrides, text: typed.filter(fitsLocation), caches },
  }
}

function fitsLocation(directive: TypedDirective): boolean {
  return mayStandIn("location", directive)
}

function isPlain({ level, access, overrides }: Around): boolean {
  return [level, access, overrides].every((part) => Object.keys(part).length === 0)
}
