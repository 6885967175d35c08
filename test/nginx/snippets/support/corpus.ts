// Cases from the snippets of published Ingresses, where these are at hand.
import { type CorpusIngress, readCorpus } from "../../../../harness/corpus.ts"
import type { CasePath, SnippetCase } from "./case.ts"
import { requestsOf } from "./derived.ts"

const prefix = "nginx.ingress.kubernetes.io/"

/** One for each Ingress with snippets for its host or its paths that stock nginx takes. */
export function corpusCases(): SnippetCase[] {
  return readCorpus()
    .filter(({ breaks }) => !breaks)
    .flatMap(({ ingress }) => caseOf(ingress))
}

interface Refused {
  readonly words: string
  readonly it: SnippetCase | string
}

/** Of what stock nginx refuses: a case where there is one, or the text of a `stream` block, with the words. */
export function corpusRefusals(): readonly Refused[] {
  return readCorpus().flatMap(({ ingress, refusal }): Refused[] => {
    if (refusal === undefined) return []
    const annotation = (name: string) => ingress.metadata.annotations[prefix + name]
    const [stream, auth] = [annotation("stream-snippet"), annotation("auth-snippet")]
    const server = `location = /auth { internal; ${auth} }`
    if (stream !== undefined) return [{ words: refusal, it: stream }]
    if (auth !== undefined)
      return [{ words: refusal, it: { name: ingress.metadata.name, server, requests: [] } }]
    return caseOf(ingress).map((it) => ({ words: refusal, it }))
  })
}

function caseOf(ingress: CorpusIngress): SnippetCase[] {
  const annotation = (name: string) => ingress.metadata.annotations[prefix + name]
  const [server, location] = [annotation("server-snippet"), annotation("configuration-snippet")]
  if (server === undefined && location === undefined) return []
  const it = {
    name: `${ingress.metadata.namespace}-${ingress.metadata.name}`,
    paths: pathsOf(ingress),
    ...(server !== undefined && { server }),
    ...(location !== undefined && { location }),
    annotations: usedBy(annotation),
  }
  return [{ ...it, requests: requestsOf(it) }]
}

/** Those that decide which location there is, and with which path the backend is asked. */
function usedBy(annotation: (name: string) => string | undefined): Record<string, string> {
  const names = ["rewrite-target", "use-regex", "upstream-vhost"]
  const rows = names.map((name) => [name, annotation(name)] as const)
  return Object.fromEntries(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function pathsOf({ spec }: CorpusIngress): CasePath[] {
  const paths = spec.rules?.[0]?.http?.paths ?? []
  const own = paths.map(({ path = "/", pathType }): CasePath => ({ path, type: typeOf(pathType) }))
  // Of two that are alike, the first holds.
  const apart = own.filter(({ path }, index) => own.findIndex((it) => it.path === path) === index)
  return apart.length === 0 ? [{ path: "/", type: "Prefix" }] : apart
}

function typeOf(pathType = ""): CasePath["type"] {
  return pathType === "Exact" ? "Exact" : "Prefix"
}
