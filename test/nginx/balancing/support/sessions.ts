// Sessions as ingress-nginx makes and reads them, written anew: md5 for names, its hash ring for the balanced mode.
import { createHash } from "node:crypto"
import type { Backend } from "../../../../harness/backends.ts"
import type { Answer } from "../../../../harness/http.ts"
import { ingressRing } from "../../../support/reference-ring.ts"

const md5 = (text: string) => createHash("md5").update(text).digest("hex")
const address = ({ port }: Backend) => `127.0.0.1:${port}`

/** What stands behind the bar of a session of this backend. */
export function keyOf(backendName: string): string {
  return md5(md5(backendName) + backendName)
}

/** A persistent session with this endpoint. */
export function persistentSession(backendName: string, endpoint: Backend): string {
  return `${md5(backendName + address(endpoint))}|${keyOf(backendName)}`
}

/** The endpoint that a balanced session leads to. */
export function ownerOf(session: string, endpoints: readonly Backend[]): Backend | undefined {
  const [key = ""] = session.split("|")
  return endpoints[ingressRing(endpoints.map(address)).find(key)]
}

/** A new balanced session, as ingress-nginx draws them, that leads to a certain endpoint. */
export function balancedSession(
  backendName: string,
  endpoints: readonly Backend[],
  endpoint: Backend,
): string {
  for (let n = 0; n < 10_000; n += 1) {
    const session = `${1718000000 + n}.123.45.${(n * 7919) % 999999}|${keyOf(backendName)}`
    if (ownerOf(session, endpoints) === endpoint) return session
  }
  throw new Error(`No session leads to ${endpoint.name}`)
}

/** The `Set-Cookie` header of this name, whole; absent if the answer has none. */
export function issued({ headers }: Answer, name = "INGRESSCOOKIE"): string | undefined {
  return headers["set-cookie"]?.find((cookie) => cookie.startsWith(`${name}=`))
}

/** The session that an answer begins; absent if it begins none. */
export function sessionOf(answer: Answer): string | undefined {
  return /^INGRESSCOOKIE=([^;]*)/.exec(issued(answer) ?? "")?.[1]
}

/** Headers of a request in a session. */
export function inSession(session: string): { cookie: string } {
  return { cookie: `theme=dark; INGRESSCOOKIE=${session}; lang=de` }
}
