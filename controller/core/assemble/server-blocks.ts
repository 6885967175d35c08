import { sharedServer } from "../../model/listener.ts"
import type { ServerBlock, ServerBlocks } from "../../model/server-block.ts"
import { contentName } from "../../support/content-name.ts"
import { wildcardOf } from "../../support/host-name.ts"
import { getOrMake } from "../../support/maps.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredHost, ServerText } from "../declared/host.ts"

/**
 * The server blocks of hosts that have text of their own, aliases with the host whose rules they have. The block of all others answers for `_`, so
 * that has none.
 *
 * @returns undefined: no host has one
 */
export function serverBlocksOf(declared: readonly DeclaredHost[]): ServerBlocks | undefined {
  if (!declared.some(({ serverText }) => serverText)) return undefined
  const texts = textsOf(declared)
  if (texts.size === 0) return undefined
  const names = declared.flatMap(({ server, host }) => (server === sharedServer ? [host] : []))
  const hosts = new Map<string, { readonly names: string[]; readonly text: ServerText }>()
  for (const name of names) {
    const text = texts.get(name)
    if (text) getOrMake(hosts, JSON.stringify(text), () => ({ names: [], text })).names.push(name)
  }
  return {
    own: [...hosts.values()].map(blockOf).sort((a, b) => compareText(a.name, b.name)),
    shared: names.filter((host) => !texts.has(host) && texts.has(wildcardOf(host))).sort(compareText),
  }
}

/** By the host, aliases included. */
function textsOf(declared: readonly DeclaredHost[]): ReadonlyMap<string, ServerText> {
  const all = declared.filter(({ server, host }) => server === sharedServer && host !== "_")
  const own = new Map(all.flatMap(({ host, serverText }) => (serverText ? [[host, serverText]] : [])))
  const ofAliases = all.flatMap(({ host, aliasOf }) => {
    const text = aliasOf === undefined ? undefined : own.get(aliasOf)
    return text === undefined || own.has(host) ? [] : ([[host, text]] as const)
  })
  return new Map([...own, ...ofAliases])
}

function blockOf({
  names,
  text,
}: {
  readonly names: readonly string[]
  readonly text: ServerText
}): ServerBlock {
  const { directives, source } = text
  const fields = { hosts: names.toSorted(compareText), text: directives, source }
  return { name: `server-${contentName(JSON.stringify(fields))}`, ...fields }
}
