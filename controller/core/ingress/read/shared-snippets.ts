import type { RequestHeader } from "../../../model/access.ts"
import type { Protocol } from "../../../model/location.ts"
import type { Level } from "../../../model/route-records.ts"
import { getOrMake } from "../../../support/maps.ts"
import { compiledKey, compileOptions, type SnippetKey } from "../../options/config-snippets.ts"
import type { Context } from "../../options/context.ts"
import type { CompiledLevel, CompileOptions } from "../../snippets/compiled.ts"

/** What the ConfigMap says with snippets, and what those of Ingresses are compiled with. */
export interface SharedSnippets {
  /** as it is written, behind that of Ingresses; "": nothing */
  text(key: SnippetKey): string
  /** of the location of each path whose Ingress says nothing */
  paths(protocol: Protocol | "http" | undefined): CompiledLevel
  /** of each server block about which no Ingress says anything */
  readonly server: CompiledLevel
  /** of what is around all server blocks */
  readonly http: Level
  /** sent to the authentication service of all with its question */
  readonly question: readonly RequestHeader[]
  optionsOf(namespace: string, protocol: Protocol | "http" | undefined): CompileOptions
}

export function sharedSnippets({ settings, options: { ports } }: Context): SharedSnippets {
  const usual = compileOptions(settings, "", new Set([ports.httpPort, ports.httpsPort]))
  const text = (key: SnippetKey) => settings[key] ?? ""
  const compiled = (key: SnippetKey, protocol?: CompileOptions["protocol"]) =>
    compiledKey(key, settings, { ...usual, ...(protocol && { protocol }) })
  const paths = new Map<string, CompiledLevel>()
  return {
    text,
    paths: (protocol) => {
      const by = protocolOf(protocol)
      return getOrMake(paths, by, () => compiled("locationSnippet", by))
    },
    server: compiled("serverSnippet"),
    http: compiled("httpSnippet").script?.levels?.[0] ?? {},
    question: compiled("globalAuthSnippet").script?.levels?.[0]?.upstreamHeaders ?? [],
    optionsOf: (namespace, protocol) => ({ ...usual, namespace, protocol: protocolOf(protocol) }),
  }
}

function protocolOf(protocol: Protocol | "http" | undefined): NonNullable<CompileOptions["protocol"]> {
  if (protocol === "fastcgi") return "fastcgi"
  return protocol === "grpc" || protocol === "grpcs" ? "grpc" : "http"
}
