import { describe, expect, test } from "vitest"
import type { Api } from "../../../../controller/input/cluster/api.ts"
import { fenced } from "../../../../controller/input/cluster/fence.ts"
import { Term } from "../../../../controller/input/cluster/lease/term.ts"

/** A term of 10 s whose timer never comes, as in a process that was stopped. */
function stopped() {
  let nowMs = 0
  const term = new Term({ nowMs: () => nowMs, dateMs: () => nowMs, sleep: () => new Promise(() => {}) })
  term.extend(term.moment(), 10_000)
  const sent: string[] = []
  const api: Api = {
    async send({ path }, signal) {
      signal.throwIfAborted()
      sent.push(path)
    },
    async *watch() {},
  }
  const send = (path: string, signal: AbortSignal) => fenced(api, term).send({ method: "PUT", path }, signal)
  const goOn = (ms: number) => {
    nowMs += ms
  }
  return { send, sent, term: term.term, goOn }
}

describe("a fence", () => {
  test("lets pass what is sent within the term", async () => {
    const { send, sent, term, goOn } = stopped()
    goOn(9_999)
    await send("/in", term)
    expect(sent).toEqual(["/in"])
  })

  test("stops what comes after its end, also by signals that were made of the term's", async () => {
    const { send, sent, term, goOn } = stopped()
    const made = AbortSignal.any([term, new AbortController().signal])
    goOn(10_000)
    await expect(send("/late", term)).rejects.toThrow()
    await expect(send("/late", made)).rejects.toThrow()
    expect(sent).toEqual([])
  })

  test("does not concern what belongs to no term", async () => {
    const { send, sent, goOn } = stopped()
    goOn(10_000)
    await send("/shutdown", new AbortController().signal)
    expect(sent).toEqual(["/shutdown"])
  })
})
