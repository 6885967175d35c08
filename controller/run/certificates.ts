import type { Options } from "../core/options/flags.ts"
import type { Fetcher } from "../facts/fetch/fetcher.ts"
import { Chains } from "../facts/issuers/chains.ts"
import { Issuers } from "../facts/issuers/issuers.ts"
import { Stapling } from "../facts/ocsp/stapling.ts"
import { SecretsAndAuthorities, type TlsFacts } from "../facts/secrets/authorities.ts"
import { Secrets } from "../facts/secrets/secrets.ts"
import type { Workplace } from "../output/nginx/workplace.ts"
import type { Log } from "../support/log.ts"

/** What certificates lead to is fetched, and cached for the next start. */
interface Fetching {
  readonly fetcher: Fetcher
  readonly changed: () => void
  readonly signal: AbortSignal
  readonly log: Log
}

/** What was stapled before this start is stapled again at once. */
export async function takeStapling(workplace: Workplace, { log, ...options }: Fetching): Promise<Stapling> {
  const cache = workplace.cache("staples", notKept(log))
  const ocsp = () => import("../facts/x509/ocsp.ts")
  return new Stapling({ ...options, ocsp, cache, cached: await cache.read() })
}

export async function takeSecrets(
  { enableSslChainCompletion }: Options,
  workplace: Workplace,
  { log, ...options }: Fetching,
): Promise<TlsFacts> {
  const { changed, signal } = options
  const secrets = new Secrets({ now: Date.now, changed, signal })
  const authorities = new SecretsAndAuthorities()
  const read = (objects: Parameters<TlsFacts["read"]>[0]) => secrets.read(authorities.of(objects))
  if (!enableSslChainCompletion) return { read, states: () => secrets.states() }
  const cache = workplace.cache("issuers", notKept(log))
  const chains = new Chains(new Issuers({ ...options, cache, cached: await cache.read() }))
  return {
    read: async (objects) => {
      await read(objects)
      await chains.complete(secrets.states())
    },
    states: () => chains.states(),
  }
}

function notKept(log: Log): (error: unknown) => void {
  return (err) => log.warn({ err }, "Cannot keep for the next start what certificates lead to")
}
