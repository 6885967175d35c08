import type { DiffRequest } from "./request.ts"

// What is printed goes into tickets and chats. Of values that let somebody in only the name is shown.

const hidden = "[redacted]"

const secretName =
  /auth|cookie|token|secret|passw|pwd|session|credential|signature|api[-_]?key|^(?:sig|key|code|jwt|sid|x-amz-security-token)$/i

/** Of headers that are about credentials and hold none. */
const harmless = /^(?:www-authenticate|access-control-|x-auth-request-redirect$)/i

export function shownHeader(name: string, value: string): string {
  return secretName.test(name) && !harmless.test(name) ? hidden : shownUrl(value)
}

/** Headers of a request. One that was made of an Ingress has none that somebody else has written. */
export function shownHeaders({
  headers,
  ingress,
}: Pick<DiffRequest, "headers" | "ingress">): Readonly<Record<string, string>> {
  if (ingress !== undefined) return headers
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shownHeader(name, value)]))
}

/** A URL or target without passwords, and without the values of arguments, of its fragment too, that look like some. Other text stays as it is. */
export function shownUrl(text: string): string {
  return text
    .replace(/(:\/\/)[^/?#\s@]*@/g, `$1${hidden}@`)
    .replace(/([?&;#])([^=&;#\s]+)=([^&;#\s]*)/g, (all, mark: string, name: string) =>
      secretName.test(name) ? `${mark}${name}=${hidden}` : all,
    )
}
