import type { RequestHeader } from "../../../model/access.ts"
import type { Protocol } from "../../../model/location.ts"
import type { Overrides } from "../../../model/overrides.ts"
import type { Level } from "../../../model/route-records.ts"
import { getOrMake } from "../../../support/maps.ts"
import { configSnippets, optionsBeside, textOf } from "../../options/config-snippets.ts"
import type { Context } from "../../options/context.ts"
import { compileSnippet } from "../../snippets/compile.ts"
import type {
  CompiledAccess,
  CompiledLevel,
  CompiledSnippet,
  CompileOptions,
} from "../../snippets/compiled.ts"
import { type Caches, cachesIn } from "../../snippets/kept-answers.ts"
import { inheritText } from "../../snippets/levels.ts"

/** What holds in all that is inside, unless that says it itself. */
export interface Around {
  readonly level: Level
  readonly access: CompiledAccess
  readonly overrides: Overrides
}

/** What the ConfigMap says with snippets as far as it is data, and what those of Ingresses are compiled with. */
export interface SharedSnippets {
  /** as it is written, behind that of Ingresses; "": nothing */
  text(of: "server" | "location"): string
  /** of the location of each path whose Ingress says nothing */
  paths(protocol: Protocol | "http" | undefined): CompiledLevel
  /** of each server block about which no Ingress says anything */
  readonly server: CompiledLevel
  /** of what is around all server blocks */
  readonly http: Around
  /** by which answers are kept around all */
  readonly caches: Caches
  /** sent to the authentication service of all with its question */
  readonly question: readonly RequestHeader[]
  /** @param beside other snippets of the same Ingress */
  optionsOf(
    namespace: string,
    protocol: Protocol | "http" | undefined,
    beside: readonly CompiledSnippet[],
  ): CompileOptions
}

export function sharedSnippets({ settings, options: { ports } }: Context): SharedSnippets {
  const { http, server, location, auth } = configSnippets(settings)
  const alone = optionsBeside([http, server, location])
  const servedAt = new Set([ports.httpPort, ports.httpsPort])
  const optionsOf: SharedSnippets["optionsOf"] = (namespace, protocol, beside) => ({
    ...(beside.length === 0 ? alone : optionsBeside([http, server, location, ...beside])),
    namespace,
    protocol: protocolOf(protocol),
    ports: servedAt,
  })
  const paths = new Map<string, CompiledLevel>()
  const ofPaths = (protocol: Protocol | "http" | undefined) =>
    compileSnippet(settings.locationSnippet, "location", optionsOf("", protocol, []))
  return {
    text: (of) => (of === "server" ? settings.serverSnippet : settings.locationSnippet),
    paths: (protocol) => getOrMake(paths, protocolOf(protocol), () => withoutText(ofPaths(protocol))),
    server: withoutText(server),
    http: aroundOf(http),
    caches: cachesIn([http, server, location].map(textOf).reduce(inheritText)),
    question: questionOf(auth),
    optionsOf,
  }
}

export function aroundOf({ script, access = {}, overrides = {} }: CompiledLevel): Around {
  return { level: script?.levels?.[0] ?? {}, access, overrides }
}

/** The headers that it says for the question to an authentication service. */
export function questionOf({ script }: CompiledLevel): readonly RequestHeader[] {
  return script?.levels?.[0]?.upstreamHeaders ?? []
}

/** What is printed of the ConfigMap stands around all. */
function withoutText(level: CompiledLevel): CompiledLevel {
  return level.text.length === 0 ? level : { ...level, text: [] }
}

function protocolOf(protocol: Protocol | "http" | undefined): NonNullable<CompileOptions["protocol"]> {
  if (protocol === "fastcgi") return "fastcgi"
  return protocol === "grpc" || protocol === "grpcs" ? "grpc" : "http"
}
