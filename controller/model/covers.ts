import { wildcardOf } from "../support/host-name.ts"
import type { KeyPair } from "./tls-secret.ts"

/** Whether a certificate is for a host: by its name, or by a wildcard in the place of the first label. Source: RFC 6125, 6.4. */
export function covers({ names }: KeyPair, host: string): boolean {
  return names.includes(host) || names.includes(wildcardOf(host))
}
