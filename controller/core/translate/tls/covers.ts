import type { KeyPair } from "../../../facts/secrets/tls-secret.ts"

/** Whether a certificate is for a host: by its name, or by a wildcard in the place of the first label. Source: RFC 6125, 6.4. */
export function covers({ names }: KeyPair, host: string): boolean {
  return names.includes(host) || names.includes(wildcardOf(host))
}

/** `*.` and the host without its first label: the wildcard that stands for it. */
export function wildcardOf(host: string): string {
  return `*${host.slice(Math.max(host.indexOf("."), 0))}`
}
