import type { Level, Script } from "../../../model/route-records.ts"
import type { AnnotationValues } from "../../annotations/values.ts"
import type { Replacement } from "../../options/replacements.ts"
import { withLevels } from "../../snippets/script-within.ts"
import { complainAbout, type IngressContext } from "./ingress-context.ts"

// What annotations say of the headers that name hosts and paths in the backend's responses: a part of each level of the location.

type Rewrites = Pick<Level, "redirects" | "cookieDomains" | "cookiePaths">

/** What `proxy_redirect default` looks for: the backend by the only name that nginx has for it. */
const upstream = "http://upstream_balancer/"

/** The script of a path with what its annotations say, where the reference has it: cookies before the snippet, redirects behind it. */
export function withRewrites(
  script: Script | undefined,
  { responses, protocol: { protocol = "http" } }: AnnotationValues,
  context: IngressContext,
): Script | undefined {
  const own = rewrites(responses, context)
  const isHttp = protocol === "http" || protocol === "https" || protocol === "auto"
  if (!isHttp || Object.keys(own).length === 0) return script
  return withLevels(script, (level) => ({ ...level, ...beside(own, level) }))
}

function rewrites(values: AnnotationValues["responses"], context: IngressContext): Rewrites {
  const { settings } = context
  const domain = listOf(values.cookieDomain ?? settings.cookieDomain)
  const path = listOf(values.cookiePath ?? settings.cookiePath)
  const redirect = listOf(redirectOf(values, context))
  return {
    ...(domain && { cookieDomains: domain }),
    ...(path && { cookiePaths: path }),
    ...(redirect && { redirects: redirect }),
  }
}

function listOf(replacement: Replacement): Level["redirects"] {
  return replacement === "off" ? undefined : [replacement]
}

function beside(own: Rewrites, level: Level): Rewrites {
  const { cookieDomains, cookiePaths, redirects } = own
  return {
    ...(cookieDomains && { cookieDomains: [...cookieDomains, ...(level.cookieDomains ?? [])] }),
    ...(cookiePaths && { cookiePaths: [...cookiePaths, ...(level.cookiePaths ?? [])] }),
    ...(redirects && { redirects: [...(level.redirects ?? []), ...redirects] }),
  }
}

/** Each half may be the Ingress's or the ConfigMap's. */
function redirectOf(values: AnnotationValues["responses"], context: IngressContext): Replacement {
  const { settings } = context
  const { redirectFrom: from = settings.redirectFrom, redirectTo: to = settings.redirectTo } = values
  if (from === "default") return { from: upstream, to: "/" }
  if (from !== "off" && to !== "off") return { from, to }
  if (from === "off" && values.redirectFrom === undefined && (values.redirectTo ?? "off") !== "off")
    return idle(context, "proxy-redirect-to", "proxy-redirect-from")
  return values.redirectFrom === undefined || from === "off"
    ? "off"
    : idle(context, "proxy-redirect-from", "proxy-redirect-to")
}

function idle(context: IngressContext, name: string, needed: string): Replacement {
  const message = `Annotation "${name}" needs annotation "${needed}": it has no effect`
  complainAbout(context, name, "annotation-idle", message)
  return "off"
}
