import { expect } from "vitest"
import { Worker } from "../host.ts"

// A posted text that is refused: by which sentence, at which place, and that nothing was written.

/** `‸` marks where the error is; it is taken out before the text is posted. */
const MARK = "‸"

/** Posts it to a filter that has nothing. */
export function refusal(path: string, marked: string | Uint8Array): { error: string; offset: number } {
  const worker = new Worker()
  const answer = worker.post(path, marked)
  expect(answer.status).toBe(400)
  expect(worker.zones.version).toBe(0n)
  return JSON.parse(answer.body)
}

/** @param marked a change */
export function expectRefusal(marked: string, sentence: string): void {
  const offset = Buffer.byteLength(marked.slice(0, marked.indexOf(MARK)))
  expect(refusal("/configuration/changes", marked.replace(MARK, ""))).toEqual({ error: sentence, offset })
}

// What stands around a part of a change.
export const inChange = (rest: string) => `{"base":null,"generation":"g",${rest}}`
export const inHost = (rest: string) => inChange(`"routes":{"set":[{${rest}}]}`)
export const inRoute = (rest: string) => inHost(`"host":"a.test","routes":[{${rest}}]`)
export const inWholeRoute = (rest: string) =>
  inRoute(`"path":"/","match":"exact","location":"p","backend":"b"${rest}`)
