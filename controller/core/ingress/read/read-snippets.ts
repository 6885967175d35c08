import type { RequestHeader } from "../../../model/access.ts"
import { shown } from "../../../model/shown.ts"
import type { AnnotationValues } from "../../annotations/values.ts"
import type { Proxying } from "../../declared/proxying.ts"
import { compileSnippet } from "../../snippets/compile.ts"
import type { CompiledLevel, CompiledSnippet, CompileOptions } from "../../snippets/compiled.ts"
import { refusalText } from "../../snippets/refusal-text.ts"
import { refusedStreams } from "../../snippets/stream-servers.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { ServerSnippet } from "../parsed/server-snippet.ts"
import { annotationField, complainAbout, type IngressContext } from "./ingress-context.ts"
import { serverSnippet } from "./read-server-snippet.ts"
import { readWaf, withWaf } from "./read-waf.ts"
import { questionOf } from "./shared-snippets.ts"
import { isPattern, nestedLocations } from "./snippet-locations.ts"
import { type Closing, maxTold, readSnippet, type Said, type SnippetOf } from "./snippet-reader.ts"

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

const ofPorts = "stream-snippet"
const ofPaths = { name: "configuration-snippet", place: "location", closes: "paths" } as const
const ofHosts = { name: "server-snippet", place: "server", closes: "hosts" } as const
const ofQuestion = { name: "auth-snippet", place: "auth", closes: "asked-about" } as const

export function readSnippets(
  { snippets, access, protocol, modsecurity: firewall }: AnnotationValues,
  context: IngressContext,
): Snippets {
  complainOfPorts(snippets.ofPorts, context)
  const { optionsOf, text, paths: ofAllPaths } = context.shared.snippets
  const said = [snippets.ofPaths, snippets.ofHosts, access.ofQuestion]
  if (said.every((it) => it === undefined))
    return { paths: ofAllPaths(protocol.protocol), question: [], closes: new Set() }
  const closes = new Set<Closing>()
  const { namespace } = context.ingress.meta
  const beside = declarations([snippets.ofPaths, snippets.ofHosts], optionsOf(namespace, undefined, []))
  const options = optionsOf(namespace, protocol.protocol, beside)
  const read = (text: Said, of: SnippetOf, behind: string) =>
    readSnippet(text, of, { options, behind, closes }, context)
  const paths = read(snippets.ofPaths, ofPaths, text("location"))
  const server = read(snippets.ofHosts, ofHosts, text("server"))
  const question = read(access.ofQuestion, ofQuestion, "")
  if (paths !== undefined) complainOfBlocks(paths, context)
  return {
    paths: paths ?? ofAllPaths(protocol.protocol),
    ...(server && {
      server: serverSnippet(server, String(snippets.ofHosts), annotationField(context, ofHosts.name), {
        ...context,
        guard: guardOf(firewall, context),
      }),
    }),
    question: question === undefined ? [] : questionOf(question),
    closes,
  }
}

/** What is wrong with the rules of all is said once of an Ingress: for its paths, unless these have none. */
function guardOf(own: AnnotationValues["modsecurity"], context: IngressContext) {
  const complain = own.isOn === false ? context.complain : () => undefined
  return (proxying: Proxying) => withWaf(proxying, readWaf({}, {}, { ...context, complain }, "/server"))
}

/** A variable that one of an Ingress's snippets sets is there in the others: nginx looks names up when it has read all. */
function declarations(texts: readonly Said[], options: CompileOptions): readonly CompiledSnippet[] {
  const said = texts.filter((text) => typeof text === "string" && text !== "")
  return said.length < 2 ? [] : said.map((text) => compileSnippet(String(text), "server", options))
}

function complainOfPorts(text: string | undefined, context: IngressContext): void {
  if (text === undefined) return
  for (const refusal of refusedStreams(text, context.ingress.meta.namespace).slice(0, maxTold)) {
    const message = `${refusalText(refusal, `annotation "${ofPorts}"`)}; nothing of it is in force`
    complainAbout(context, ofPorts, "snippet-in-part", message)
  }
}

/** What nginx would refuse all for. */
function complainOfBlocks(snippet: CompiledLevel, context: IngressContext): void {
  const paths = context.ingress.rules.flatMap((rule) => rule.paths ?? [])
  const isInside = (block: string) =>
    paths.some(({ path }) => `${block}/`.startsWith(`${path.replace(/\/$/, "")}/`))
  for (const { match, path } of snippet.locations) {
    if (isPattern(match) || isInside(path)) continue
    const message = `Cannot use location ${shown(path)} of annotation "${ofPaths.name}": it is outside of all paths of the Ingress; write it into "server-snippet"`
    complainAbout(context, ofPaths.name, "snippet-in-part", message)
  }
}

/** Puts location blocks of the snippet into the paths that they are inside of. */
export function nestedIn(
  snippet: CompiledLevel,
  context: IngressContext,
): (route: ParsedRoute) => ParsedRoute {
  if (snippet.locations.length === 0) return (route) => route
  const field = annotationField(context, ofPaths.name)
  return (route) => {
    const nested = nestedLocations(snippet, route, field, context)
    return nested.length === 0 ? route : { ...route, nested }
  }
}
