import type { Answers, Questions, Refusal } from "../api.ts"

export type Name = keyof Answers

/** Asks the server. @throws Error with a sentence; `AbortError` when the signal aborts */
export async function ask<N extends Name>(
  name: N,
  question: Questions[N],
  signal?: AbortSignal,
): Promise<Answers[N]> {
  const answer = await fetch(`/api/${name}?${queryOf(question)}`, {
    headers: { accept: "application/json" },
    ...(signal && { signal }),
  })
  if (answer.status === 401) location.assign("/login")
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error((body as Refusal).error)
  return body as Answers[N]
}

/** What is empty is not asked for. A text of several lines comes once for each. */
export function queryOf(question: object): string {
  const query = new URLSearchParams()
  for (const [name, text = ""] of Object.entries<string | undefined>({ ...question }))
    for (const line of text.split("\n")) if (line.trim() !== "") query.append(name, line.trim())
  return query.toString()
}
