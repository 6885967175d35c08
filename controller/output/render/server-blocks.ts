import type { Fixed } from "../../model/model.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import { bucketSizeFor } from "./http/maps.ts"

/** What the template of server blocks prints. */
interface ServerBlockFields {
  /** `server_name` */
  readonly names: readonly TypedDirective[]
  readonly text: readonly TypedDirective[]
}

/** Those of some hosts. The block for all others is the default one at every address. */
export function serverBlocks({ http, servers }: Fixed): readonly ServerBlockFields[] {
  return (servers?.own ?? []).map(({ hosts, text }) => ({
    names: [{ name: "server_name", args: hosts.map(serverName) }],
    text: [...withoutNames(http.snippets.servers, text), ...text],
  }))
}

/** What the operator says of all server blocks, but of what the block itself says something. */
function withoutNames(
  all: readonly TypedDirective[],
  own: readonly TypedDirective[],
): readonly TypedDirective[] {
  const names = new Set(own.map(({ name }) => name))
  return all.filter(({ name }) => !names.has(name))
}

/** Of the block for all others: `_` is no name of any host. */
export function sharedNames({ servers }: Fixed): readonly string[] {
  return ["_", ...(servers?.shared ?? [])]
}

/** `server_names_hash_bucket_size`; null: nginx's own is enough. A name is in no bucket that is smaller than it. */
export function serverNamesBucketSize({ servers }: Fixed): number | null {
  if (servers === undefined) return null
  const names = [...servers.own.flatMap(({ hosts }) => hosts), ...servers.shared]
  return Math.max(64, bucketSizeFor(names))
}

/** nginx's own wildcard is for any number of labels, ours for one; exact names come before either. Source: nginx, server_name. */
function serverName(host: string): string {
  return host.startsWith("*.") ? `~^[^.]+${host.slice(1).replaceAll(".", "\\.")}$` : host
}
