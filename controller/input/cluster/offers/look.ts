import { kinds as kindNames } from "../../../model/objects/kinds.ts"
import type { Kind } from "../../../model/objects/object.ts"
import { isRecord } from "../../../model/objects/reader.ts"
import { type Api, ApiFailure } from "../api.ts"
import { pathOf } from "../kinds.ts"

/** What there is of several kinds. */
export interface Look {
  readonly offered: readonly Kind[]
  /** the API server does not know them */
  readonly missing: readonly Kind[]
  /** may not be listed */
  readonly denied: readonly Kind[]
}

/**
 * Asks what there is, and what may be listed. @param namespace "" for all
 * @throws ApiFailure when that cannot be found out now
 */
export async function look(
  api: Pick<Api, "send">,
  kinds: readonly Kind[],
  namespace: string,
  signal: AbortSignal,
): Promise<Look> {
  const verdicts = await verdictsOn(api, kinds, namespace, signal)
  const those = (verdict: Verdict) => kinds.filter((kind) => verdicts.get(kind) === verdict)
  return { offered: those("offered"), missing: those("missing"), denied: those("denied") }
}

type Verdict = "offered" | "missing" | "denied"

async function verdictsOn(
  api: Pick<Api, "send">,
  kinds: readonly Kind[],
  namespace: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<Kind, Verdict>> {
  const ask = (path: string, query = {}) => api.send({ method: "GET", path, query }, signal)
  const known = await resourcesOf([...new Set(kinds.map((kind) => kindNames[kind].apiVersion))], ask)
  const verdictOn = async (kind: Kind): Promise<Verdict> => {
    const { apiVersion, plural } = kindNames[kind]
    if (!known.has(`${apiVersion} ${plural}`)) return "missing"
    return verdictOf(ask(pathOf(kind, namespace), { limit: "1" }))
  }
  return new Map(await Promise.all(kinds.map(async (kind) => [kind, await verdictOn(kind)] as const)))
}

type Ask = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>

/** `group/version plural` of everything that is known in these versions of groups. */
async function resourcesOf(versions: readonly string[], ask: Ask): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(
    versions.map(async (version) => {
      const found = await ask(`/apis/${version}`).catch(unless404)
      const resources: unknown = isRecord(found) ? found.resources : []
      const names = Array.isArray(resources) ? resources.filter(isRecord).map(({ name }) => name) : []
      return names.map((name) => `${version} ${name}`)
    }),
  )
  return new Set(lists.flat())
}

/** Between the look at what there is and this question it may have gone. */
async function verdictOf(answer: Promise<unknown>): Promise<Verdict> {
  try {
    await answer
    return "offered"
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 403) return "denied"
    if (error instanceof ApiFailure && error.status === 404) return "missing"
    throw error
  }
}

function unless404(error: unknown): undefined {
  if (error instanceof ApiFailure && error.status === 404) return undefined
  throw error
}
