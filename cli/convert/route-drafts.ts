import { distinctBy } from "../../controller/support/distinct.ts"
import type { Json } from "./conversion.ts"
import type { Converting } from "./converting.ts"
import type { Draft } from "./drafts.ts"
import { at } from "./filters.ts"
import { keptAnnotations } from "./kept-annotations.ts"
import { redirect } from "./redirects.ts"
import { everything, isGrpc } from "./rules.ts"

// The routes of some hosts of an Ingress, which have the same rules, and those that lead requests without TLS to HTTPS.

export function draftOf(
  { subject }: Converting,
  suffix: string,
  rest: Pick<Draft, "kind" | "hostnames" | "parentRefs" | "rules" | "annotations">,
): Draft {
  const { namespace, name } = subject.ingress.meta
  return { namespace, name, suffix, ...rest }
}

/**
 * @param hostnames none: all hosts
 * @param leadsRest whether requests without TLS that none of the rules matches are led to HTTPS, too
 */
export function draftsFor(
  converting: Converting,
  hostnames: readonly string[],
  rules: readonly Json[],
  leadsRest: boolean,
): readonly Draft[] {
  const hosts = hostnames.length === 0 ? [""] : hostnames
  const { listeners } = converting
  const secure = hosts.map((name) => listeners.https(name)).filter((ref) => ref !== undefined)
  const isLed = leadsToHttps(hosts, secure.length > 0, converting)
  const behind = { converting, hostnames, rules, secure, leadsRest }
  if (isLed && secure.length === 0) remarkUnserved(hosts, converting)
  if (converting.keepsAnnotations) return keptDrafts(behind, isLed)
  return isLed ? ledDrafts(behind) : [mainDraft(behind, [listeners.http, ...secure])]
}

interface Behind {
  readonly converting: Converting
  readonly hostnames: readonly string[]
  readonly rules: readonly Json[]
  readonly secure: Draft["parentRefs"]
  readonly leadsRest: boolean
}

/** By HTTP it is redirected where HTTPS is wanted of the host, or the Ingress says so in any case. */
function leadsToHttps(
  hosts: readonly string[],
  isSecure: boolean,
  { values, listeners, subject }: Converting,
): boolean {
  const { settings } = subject.around
  if (values.routing.forceSslRedirect ?? settings.forceSslRedirect) return true
  const isWanted = values.routing.sslRedirect ?? settings.sslRedirect
  return isSecure && isWanted && hosts.some(listeners.isSecured)
}

function remarkUnserved([host = ""]: readonly string[], { subject, remarks }: Converting): void {
  const which = host === "" ? "Other hosts have" : `${host} has`
  const what = `${which} no certificate, so that nothing is served by HTTPS`
  remarks.add("left-out", at(subject, "force-ssl-redirect"), what)
}

function mainDraft({ converting, hostnames, rules }: Behind, parentRefs: Draft["parentRefs"]): Draft {
  const kind = isGrpc(converting.values) && !converting.isClosed ? "GRPCRoute" : "HTTPRoute"
  return draftOf(converting, "", { kind, hostnames, parentRefs, rules })
}

/** Two routes: what is served by HTTPS, and who leads there. */
function ledDrafts(behind: Behind): readonly Draft[] {
  const { converting, hostnames, secure, leadsRest } = behind
  const { listeners, subject } = converting
  const toHttps = redirect({ scheme: "https", statusCode: subject.around.settings.httpRedirectCode })
  const main = mainDraft(behind, secure)
  remarkRedirect(converting)
  const all = { matches: [{ path: everything }] }
  const from = main.kind === "GRPCRoute" ? [all] : [...main.rules, ...(leadsRest ? [all] : [])]
  const rules = distinctBy(
    from.map(({ matches }) => ({ matches, filters: [toHttps] })),
    (rule) => JSON.stringify(rule),
  )
  const kind = "HTTPRoute"
  const leading = draftOf(converting, "redirect", { kind, hostnames, parentRefs: [listeners.http], rules })
  return secure.length === 0 ? [leading] : [main, leading]
}

function remarkRedirect({ filters, subject, remarks }: Converting): void {
  if (filters.some(({ type }) => type === "CORS" || type === "ResponseHeaderModifier"))
    remarks.addChange(
      "redirects",
      at(subject, "ssl-redirect"),
      "The redirect to HTTPS had the headers of all its responses, and has none of them from now on",
    )
}

/** One route, whose annotation leads to HTTPS; it has the rest of its hosts, too, for requests without TLS alone. */
function keptDrafts(
  { converting, hostnames, rules, secure, leadsRest }: Behind,
  isLed: boolean,
): readonly Draft[] {
  const { listeners, subject, isClosed } = converting
  const annotations = isClosed ? undefined : keptAnnotations(subject, isLed)
  const common = { kind: "HTTPRoute", hostnames, ...(annotations && { annotations }) } as const
  const main = draftOf(converting, "", { ...common, parentRefs: [listeners.http, ...secure], rules })
  if (!isLed || !leadsRest || isClosed) return [main]
  const rest = [{ matches: [{ path: everything }] }]
  return [main, draftOf(converting, "redirect", { ...common, parentRefs: [listeners.http], rules: rest })]
}
