import type { RequestHeader } from "../../../model/access.ts"
import type { Protocol } from "../../../model/location.ts"
import type { Level } from "../../../model/route-records.ts"
import { nearest } from "../../../support/nearest.ts"
import type { Context } from "../../options/context.ts"
import { isNginxVariable, nginxVariables } from "../../options/nginx-variables.ts"
import type { CompiledLevel, CompileOptions } from "../../snippets/compiled.ts"

/** What the ConfigMap says with snippets, and what those of Ingresses are compiled with. */
export interface SharedSnippets {
  /** as it is written, behind that of Ingresses; "": nothing */
  text(of: "server" | "location"): string
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

const nothing: CompiledLevel = { locations: [], text: [] }

export function sharedSnippets({ options: { ports } }: Context): SharedSnippets {
  const usual: Omit<CompileOptions, "namespace"> = {
    isVariable: isNginxVariable,
    nearestVariable: (name) => nearest(name, nginxVariables),
    ports: new Set([ports.httpPort, ports.httpsPort]),
  }
  return {
    text: () => "",
    paths: () => nothing,
    server: nothing,
    http: {},
    question: [],
    optionsOf: (namespace, protocol) => ({ ...usual, namespace, protocol: protocolOf(protocol) }),
  }
}

function protocolOf(protocol: Protocol | "http" | undefined): NonNullable<CompileOptions["protocol"]> {
  if (protocol === "fastcgi") return "fastcgi"
  return protocol === "grpc" || protocol === "grpcs" ? "grpc" : "http"
}
