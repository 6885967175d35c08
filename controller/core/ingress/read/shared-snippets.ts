import type { RequestHeader } from "../../../model/access.ts"
import type { Protocol } from "../../../model/location.ts"
import type { Level } from "../../../model/route-records.ts"
import { getOrMake } from "../../../support/maps.ts"
import { configSnippets, optionsBeside, textOf } from "../../options/config-snippets.ts"
import type { Context } from "../../options/context.ts"
import { compileSnippet } from "../../snippets/compile.ts"
import type { CompiledLevel, CompileOptions } from "../../snippets/compiled.ts"

/** What the ConfigMap says with snippets, and what those of Ingresses are compiled with. */
export interface SharedSnippets {
  /** as it is written, behind that of Ingresses; "": nothing */
  text(of: "server" | "location"): string
  /** directives of it that stand in every server block, as JSON */
  readonly printed: ReadonlySet<string>
  /** of the location of each path whose Ingress says nothing */
  paths(protocol: Protocol | "http" | undefined): CompiledLevel
  /** of each server block about which no Ingress says anything */
  readonly server: CompiledLevel
  /** of what is around all server blocks */
  readonly http: Level
  readonly aroundServers: Pick<CompiledLevel, "access" | "overrides">
  /** sent to the authentication service of all with its question */
  readonly question: readonly RequestHeader[]
  optionsOf(namespace: string, protocol: Protocol | "http" | undefined): CompileOptions
}

/** Text of the ConfigMap's is printed in every server block, so here is what else it says. */
export function sharedSnippets({ settings, options: { ports } }: Context): SharedSnippets {
  const { http, server, location } = configSnippets(settings)
  const usual = {
    ...optionsBeside([http, server, location]),
    ports: new Set([ports.httpPort, ports.httpsPort]),
  }
  const texts = { server: settings.serverSnippet, location: settings.locationSnippet }
  const optionsOf = (namespace: string, protocol: Protocol | "http" | undefined) => ({
    ...usual,
    namespace,
    protocol: protocolOf(protocol),
  })
  const paths = new Map<string, CompiledLevel>()
  return {
    text: (of) => texts[of],
    printed: new Set([server, location].flatMap(textOf).map((directive) => JSON.stringify(directive))),
    paths: (protocol) =>
      getOrMake(paths, protocolOf(protocol), () => ({
        ...compileSnippet(texts.location, "location", optionsOf("", protocol)),
        text: [],
      })),
    server: { ...server, text: [] },
    http: http.script?.levels?.[0] ?? {},
    aroundServers: { ...(http.access && { access: http.access }), overrides: http.overrides ?? {} },
    question: [],
    optionsOf,
  }
}

function protocolOf(protocol: Protocol | "http" | undefined): NonNullable<CompileOptions["protocol"]> {
  if (protocol === "fastcgi") return "fastcgi"
  return protocol === "grpc" || protocol === "grpcs" ? "grpc" : "http"
}
