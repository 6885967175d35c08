// The thread of parse-thread.ts: takes documents, gives back their objects a few at a time, so that taking them holds nobody up.
import { parentPort } from "node:worker_threads"
import type { Answer, Question } from "./parse-thread.ts"
import { readValues, tooMuch, type Values } from "./values.ts"

/** Objects in one message. */
const batch = 32

parentPort?.on("message", ({ document, file }: Question) => {
  answer(document, file, readValues(document, file))
})

function answer(document: Question["document"], file: string, { values, problems }: Values): void {
  try {
    for (let at = 0; at < values.length; at += batch) send({ values: values.slice(at, at + batch) })
    send({ problems })
  } catch {
    send({ problems: [...problems, tooMuch(file, document.line, "its values cannot be handed over")] })
  }
}

function send(message: Answer): void {
  parentPort?.postMessage(message)
}
