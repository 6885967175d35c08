import type { TypedDirective } from "../../model/typed-directive.ts"
import type { Context, Row } from "./rows.ts"
import { access } from "./table/access.ts"
import { bodies } from "./table/bodies.ts"
import { clients } from "./table/clients.ts"
import { compression } from "./table/compression.ts"
import { core } from "./table/core.ts"
import { elsewhere } from "./table/elsewhere.ts"
import { fastcgi } from "./table/fastcgi.ts"
import { files } from "./table/files.ts"
import { grpc } from "./table/grpc.ts"
import { headers } from "./table/headers.ts"
import { http2 } from "./table/http2.ts"
import { limits } from "./table/limits.ts"
import { logs } from "./table/logs.ts"
import { main } from "./table/main.ts"
import { maps } from "./table/maps.ts"
import { memcached } from "./table/memcached.ts"
import { modsecurity } from "./table/modsecurity.ts"
import { newer } from "./table/newer.ts"
import { proxy } from "./table/proxy.ts"
import { rewrite } from "./table/rewrite.ts"
import { scgi } from "./table/scgi.ts"
import { ssl } from "./table/ssl.ts"
import { stream } from "./table/stream.ts"
import { upstream } from "./table/upstream.ts"
import { uwsgi } from "./table/uwsgi.ts"

/** Rows by what they are about, for each directive of nginx and of the modules that are loaded with it. */
export const directiveFamilies: Readonly<Record<string, readonly Row[]>> = {
  "The process": main,
  "The core of http": core,
  "Answers, other paths, conditions": rewrite,
  Headers: headers,
  "Who is let in": access,
  Limits: limits,
  "Variables that follow from others": maps,
  "The log of requests": logs,
  Files: files,
  Bodies: bodies,
  Compression: compression,
  "Cookies, browsers, mirrors": clients,
  TLS: ssl,
  "HTTP/2": http2,
  "Backends of HTTP": proxy,
  "Backends of gRPC": grpc,
  "Backends of FastCGI": fastcgi,
  "Backends of uwsgi": uwsgi,
  "Backends of SCGI": scgi,
  "Backends of memcached": memcached,
  "Groups of servers": upstream,
  "TCP and UDP": stream,
  ModSecurity: modsecurity,
  "Since nginx 1.23": newer,
}

export const rows: readonly Row[] = Object.values(directiveFamilies).flat()

const byName: ReadonlyMap<string, readonly Row[]> = Map.groupBy(rows, ({ name }) => name)

export const directiveNames: readonly string[] = [...byName.keys()]

/** What a directive is where it stands; where it may not stand, what it is elsewhere; undefined: no module has it. */
export function rowOf(name: string, context: Context, hasBlock: boolean): Row | undefined {
  const all = byName.get(name) ?? []
  return all.find((row) => row.contexts.includes(context)) ?? all[0] ?? elsewhere(name, hasBlock)
}

export function mayStandIn(context: Context, { name, block }: TypedDirective): boolean {
  return rowOf(name, context, block !== undefined)?.contexts.includes(context) === true
}
