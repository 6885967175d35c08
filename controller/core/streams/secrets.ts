import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import type { TlsSecret, TlsSecretState } from "../../model/tls-secret.ts"
import type { DeclaredStream, StreamReencryption, StreamTermination } from "../declared/stream.ts"
import type { Entry } from "./entry.ts"
import type { AskedBackendTls, AskedTls } from "./tls-entry.ts"

// What Secrets bring for the TLS that entries ask for. What cannot be had lets nobody in.

export type StreamSecrets = ReadonlyMap<string, TlsSecretState>

type Tell = (code: ProblemCode, message: string) => void

/** Names of all Secrets of an entry. */
export function secretsOfEntry({ tls, backendTls, names = [] }: Entry): readonly string[] {
  return [{ tls, backendTls }, ...names].flatMap((of) =>
    [of.tls?.secret, of.tls?.clients?.secret, of.backendTls?.secret].filter((it) => it !== undefined),
  )
}

/** What is declared of what an entry, or a name of it, asks for. */
export function declaredTls(
  {
    tls,
    backendTls,
  }: { readonly tls?: AskedTls | undefined; readonly backendTls?: AskedBackendTls | undefined },
  secrets: StreamSecrets,
  tell: Tell,
): Pick<DeclaredStream, "tls" | "backendTls"> {
  return {
    ...(tls && { tls: terminationOf(tls, secrets, tell) }),
    ...(backendTls && { backendTls: reencryptionOf(backendTls, secrets, tell) }),
  }
}

function terminationOf(
  { secret, alpn, clients }: AskedTls,
  secrets: StreamSecrets,
  tell: Tell,
): StreamTermination {
  const pair = part(secret, "pair", "tls.crt", secrets, tell)
  return {
    pairs: pair === undefined ? [] : [pair],
    ...(clients && {
      client: {
        authority: part(clients.secret, "authority", "ca.crt", secrets, tell),
        ...{ verify: clients.verify, depth: clients.depth },
      },
    }),
    ...(alpn && { alpn }),
  }
}

function reencryptionOf(
  { secret, name, names, verify, depth }: AskedBackendTls,
  secrets: StreamSecrets,
  tell: Tell,
): StreamReencryption {
  const brought = secret === undefined ? undefined : broughtBy(secret, secrets, tell)
  const { pair, authority } = brought ?? {}
  // A Secret that is not there may have an authority.
  const verifies = verify ?? (secret !== undefined && (brought === undefined || authority !== undefined))
  if (verify === true && brought !== undefined && authority === undefined) lacks(secret, "ca.crt", tell)
  return {
    ...(name !== undefined && { serverName: name }),
    ...(names && { alternativeNames: names }),
    ...(verifies && { verified: { authority, depth } }),
    ...(pair && { pair }),
  }
}

function part<Part extends keyof TlsSecret>(
  name: string,
  part: Part,
  key: string,
  secrets: StreamSecrets,
  tell: Tell,
): TlsSecret[Part] | undefined {
  const brought = broughtBy(name, secrets, tell)
  if (brought !== undefined && brought[part] === undefined) lacks(name, key, tell)
  return brought?.[part]
}

function lacks(name = "", key: string, tell: Tell): void {
  tell(
    "secret-refused",
    `Cannot use Secret ${shown(name)}: key ${shown(key)} is missing; connections are closed`,
  )
}

function broughtBy(name: string, secrets: StreamSecrets, tell: Tell): TlsSecret | undefined {
  const state = secrets.get(name)
  if (state === undefined) {
    tell("secret-missing", `Cannot use Secret ${shown(name)}: it does not exist; connections are closed`)
    return undefined
  }
  if (state.kind === "refused") {
    tell("secret-refused", `Cannot use Secret ${shown(name)}: ${state.reason}; connections are closed`)
    return undefined
  }
  return state.secret
}
