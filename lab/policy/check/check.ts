/** Checks a policy as wick does before it takes one, and what its author promises. */
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Subject } from "../subject.ts"
import type { Finding } from "./finding.ts"
import { askProgram } from "./program.ts"
import type { Message, Work } from "./worker.ts"

/** Nothing takes so long but a loop. */
const PATIENCE_MS = 30_000
const MEMORY_MB = 512

/** @param tell hears of each finding as it is made */
export async function check(
  subject: Subject,
  tell: (finding: Finding) => void,
  patienceMs = PATIENCE_MS,
): Promise<Finding[]> {
  const findings = await checkInThread(subject, tell, patienceMs)
  const answer = findings.some(({ problem }) => problem !== undefined) ? undefined : askProgram(subject.file)
  if (answer) tell(answer)
  return answer ? [...findings, answer] : findings
}

function checkInThread(
  { wasm, description }: Subject,
  tell: (finding: Finding) => void,
  patienceMs: number,
): Promise<Finding[]> {
  const work: Work = { wasm, description }
  const worker = new Worker(join(import.meta.dirname, "worker.ts"), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const findings: Finding[] = []
  let begun = ""
  const add = (finding: Finding) => {
    findings.push(finding)
    tell(finding)
  }
  return new Promise((resolve) => {
    const end = (problem?: string) => {
      clearTimeout(timer)
      if (problem !== undefined) add({ name: begun, problem })
      void worker.terminate()
      resolve(findings)
    }
    const timer = setTimeout(
      () => end(`It did not come back within ${patienceMs / 1000} s: does it loop?`),
      patienceMs,
    )
    worker.on("message", (message: Message) => {
      timer.refresh()
      if ("begun" in message) begun = message.begun
      else add({ name: begun, ...message })
    })
    worker.on("error", (error) => end(error.message))
    worker.on("exit", () => end())
  })
}
