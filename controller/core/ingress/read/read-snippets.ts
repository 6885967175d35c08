import type { RequestHeader } from "../../../model/access.ts"
import type { AnnotationValues } from "../../annotations/values.ts"
import type { CompiledLevel } from "../../snippets/compiled.ts"
import type { ServerSnippet } from "../parsed/server-snippet.ts"
import { annotationField, type IngressContext } from "./ingress-context.ts"
import { serverSnippet } from "./server-snippet.ts"
import { type Closing, readSnippet, type Said, type SnippetOf } from "./snippet-reader.ts"

/** What the snippets of one Ingress say. */
export interface Snippets {
  /** of each of its paths, with what the ConfigMap says of all */
  readonly paths: CompiledLevel
  /** of its hosts; absent: what the ConfigMap says of all */
  readonly server?: ServerSnippet
  /** sent to an authentication service with its question */
  readonly question: readonly RequestHeader[]
  /** what is closed for what is not in force of them */
  readonly closes: ReadonlySet<Closing>
}

const ofPaths = { name: "configuration-snippet", place: "location", closes: "paths" } as const
const ofHosts = { name: "server-snippet", place: "server", closes: "hosts" } as const
const ofQuestion = { name: "auth-snippet", place: "auth", closes: "asked-about" } as const

export function readSnippets(
  { snippets, access, protocol }: AnnotationValues,
  context: IngressContext,
): Snippets {
  const closes = new Set<Closing>()
  const { optionsOf, text, paths: ofAllPaths } = context.shared.snippets
  const options = optionsOf(context.ingress.meta.namespace, protocol.protocol)
  const read = (text: Said, of: SnippetOf, behind: string) =>
    readSnippet(text, of, { options, behind, closes }, context)
  const paths = read(snippets.ofPaths, ofPaths, text("locationSnippet"))
  const server = read(snippets.ofHosts, ofHosts, text("serverSnippet"))
  const question = read(access.ofQuestion, ofQuestion, "")
  return {
    paths: paths ?? ofAllPaths(protocol.protocol),
    ...(server && {
      server: serverSnippet(server, String(snippets.ofHosts), annotationField(context, ofHosts.name), context),
    }),
    question: question?.script?.levels?.[0]?.upstreamHeaders ?? [],
    closes,
  }
}
