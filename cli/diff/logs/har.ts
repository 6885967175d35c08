import { recordOf } from "../../../controller/model/objects/reader.ts"
import { Failure } from "../../../controller/support/failure.ts"
import { type Logged, placeOf } from "./logged.ts"

// What a browser's tools export of the requests that it has sent. Source: HTTP Archive (HAR) 1.2.

/** That servers choose answers by. Others belong to a connection, or to one moment. */
const replayed =
  /^(?:accept|accept-encoding|accept-language|content-type|origin|access-control-request-(?:method|headers)|user-agent|x-requested-with)$/
const credentials = /^(?:authorization|cookie)$/

/** @param takesCredentials cookies and Authorization are sent again @throws Failure when it is no HAR */
export function parseHar(text: string, takesCredentials: boolean): readonly Logged[] {
  const { entries } = recordOf(recordOf(parsed(text)).log)
  if (!Array.isArray(entries)) throw new Failure("har-unreadable", "It is no HAR: log.entries is missing")
  return entries.flatMap((entry) => requestOf(recordOf(recordOf(entry).request), takesCredentials) ?? [])
}

function requestOf(
  request: Readonly<Record<string, unknown>>,
  takesCredentials: boolean,
): Logged | undefined {
  const { method, url, headers, postData } = request
  const place = typeof url === "string" ? placeOf(url) : undefined
  if (place?.host === undefined || typeof method !== "string") return undefined
  const { text: body } = recordOf(postData)
  return {
    method: method.toUpperCase(),
    ...place,
    headers: headersOf(headers, takesCredentials),
    ...(typeof body === "string" && body !== "" && { body }),
  }
}

function headersOf(written: unknown, takesCredentials: boolean): Readonly<Record<string, string>> {
  const all = Array.isArray(written) ? written.map(recordOf) : []
  const pairs = all.flatMap(({ name, value }) =>
    typeof name === "string" && typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
  )
  return Object.fromEntries(
    pairs.filter(([name]) => replayed.test(name) || (takesCredentials && credentials.test(name))),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch {
    // what is wrong would be said with a piece of the text
    throw new Failure("har-unreadable", "It is no JSON")
  }
}
