import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { complaint, hostText } from "../../declared/problems.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ServerSnippet } from "../parsed/server-snippet.ts"
import { type HostOwner, isForeign, ownedText } from "./ownership.ts"

/** Whose server-snippet a host has. */
export interface ChosenServer {
  /** absent: nothing is said */
  readonly snippet?: ServerSnippet
  /** `namespace/name` of Ingresses whose own paths are closed, as what they say may keep requests out and has no effect */
  readonly closed: ReadonlySet<string>
}

/**
 * A server has one snippet: that of the oldest Ingress which has one (behaviour of ingress-nginx) and may speak for the host. All others are a Problem,
 * unless they say the same.
 *
 * @param mains that mention the host, the oldest first
 * @param everywhere what the ConfigMap alone says of a host
 */
export function chosenServer(
  host: string,
  mains: readonly ParsedIngress[],
  owner: HostOwner | undefined,
  everywhere: ServerSnippet | undefined,
  problems: Problem[],
): ChosenServer {
  const saying = mains.filter(({ server }) => server !== undefined)
  if (saying.length === 0) return { ...(everywhere && { snippet: everywhere }), closed: nobody }
  const snippet = saying.find(({ root }) => !isForeign(root, owner))?.server ?? everywhere
  const closed = new Set<string>()
  for (const { name, root, server } of saying) {
    if (server === undefined || server === snippet || server.text === snippet?.text) continue
    const isForeigner = owner !== undefined && isForeign(root, owner)
    const closes = isForeigner && server.mayGuard
    if (closes) closed.add(name)
    problems.push(isForeigner ? unheard(server, host, owner, closes) : overruled(server, host, snippet))
  }
  return { ...(snippet && { snippet }), closed }
}

const nobody: ReadonlySet<string> = new Set()

function unheard({ source, field }: ServerSnippet, host: string, owner: HostOwner, closes: boolean): Problem {
  const outcome = closes ? "the paths of this Ingress there get 503" : "it has no effect there"
  const message = `Cannot use annotation "server-snippet" for ${hostText(host)}: ${ownedText(owner)}; ${outcome}`
  return complaint(source, field, "host-owned", message)
}

function overruled(
  { source, field }: ServerSnippet,
  host: string,
  other: ServerSnippet | undefined,
): Problem {
  const whose =
    other === undefined ? "an older one" : `Ingress "${qualifiedName(other.source)}", which is older,`
  const message = `Annotation "server-snippet" has no effect for ${hostText(host)}: ${whose} has another one; write both into one`
  return complaint(source, field, "snippet-overruled", message)
}
