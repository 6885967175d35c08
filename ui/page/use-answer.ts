import { useEffect, useState } from "preact/hooks"
import type { Answers, Questions } from "../api.ts"
import { ask, type Name, queryOf } from "./api-client.ts"

export interface Answered<T> {
  /** the last one, also while a next one is on its way */
  readonly answer?: T
  /** why there is none: a sentence */
  readonly error?: string
  /** what is shown is not what was asked for last */
  readonly isLate: boolean
}

interface Kept<T> extends Omit<Answered<T>, "isLate"> {
  readonly of: string
}

/**
 * Asks, and asks again now and then as long as somebody looks.
 *
 * @param everyMs absent: once
 */
export function useAnswer<N extends Name>(
  name: N,
  question: Questions[N],
  everyMs?: number,
): Answered<Answers[N]> {
  const asked = `${name}?${queryOf(question)}`
  const [kept, setKept] = useState<Kept<Answers[N]>>({ of: "" })
  useEffect(() => {
    const given = new AbortController()
    const { signal } = given
    const look = async () => {
      try {
        const answer = await ask(name, question, signal)
        setKept({ of: asked, answer })
      } catch (error) {
        if (!signal.aborted) setKept((before) => ({ ...before, of: asked, error: sentenceOf(error) }))
      }
    }
    void look()
    const timer = everyMs && setInterval(() => document.hidden || void look(), everyMs)
    return () => {
      given.abort()
      clearInterval(timer)
    }
  }, [asked, everyMs])
  const { of, ...answered } = kept
  return { ...answered, isLate: of !== asked }
}

/** fetch says of a server that is gone what nobody understands. */
function sentenceOf(error: unknown): string {
  if (error instanceof TypeError) return "wick does not answer: it may have been stopped"
  return error instanceof Error ? error.message : String(error)
}
