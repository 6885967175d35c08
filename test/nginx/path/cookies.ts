import type { Answer, Question } from "../../../harness/http.ts"

/** A cookie that an answer sets. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  /** in the order in which they stand: `Path=/`, `HttpOnly` … */
  readonly attributes: readonly string[]
}

/** Every cookie that the answer sets. */
export function cookiesOf({ headers }: Answer): readonly SetCookie[] {
  return (headers["set-cookie"] ?? []).map((line) => {
    const [pair = "", ...attributes] = line.split("; ")
    const at = pair.indexOf("=")
    return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes }
  })
}

export function cookieOf(answer: Answer, name: string): SetCookie | undefined {
  return cookiesOf(answer).find((cookie) => cookie.name === name)
}

/** The value of an attribute; "" for one without value. */
export function attribute(cookie: SetCookie | undefined, name: string): string | undefined {
  const found = cookie?.attributes.find((text) => text === name || text.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

/** A request that sends back the cookie that the answer has set. @throws when it has set none of this name */
export function cookieWith(
  answer: Answer,
  name: string,
): Question & { readonly headers: Readonly<Record<string, string>> } {
  const cookie = cookieOf(answer, name)
  if (cookie === undefined)
    throw new Error(`The answer sets no cookie ${name}: ${answer.headers["set-cookie"]}`)
  return { headers: { cookie: `${name}=${cookie.value}` } }
}
