// The thread of parse-thread.ts: takes documents, and gives back their objects, or the lines of fields, a few at a time, so that taking them holds nobody up.
import { parentPort } from "node:worker_threads"
import { linesOf } from "./field-lines.ts"
import type { Answer, Question } from "./parse-thread.ts"
import { formatOf, readValues, tooMuch, type Values } from "./values.ts"

/** Objects in one message. */
const batch = 32

parentPort?.on("message", (question: Question) => answer(question, answerTo(question)))

function answerTo({ document, file, fields }: Question): Values {
  if (fields === undefined) return readValues(document, file)
  return { values: linesOf(document, formatOf(file), fields), problems: [] }
}

function answer({ document, file }: Question, { values, problems }: Values): void {
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
