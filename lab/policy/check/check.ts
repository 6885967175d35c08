/** Checks a policy as wick does before it takes one, and what its author promises. */
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Subject } from "../subject.ts"
import type { Finding } from "./finding.ts"
import { askProgram } from "./program.ts"
import type { Message, Work } from "./worker.ts"

/** Of processor time: nothing takes so much but a loop, and a busy machine gives nobody more of it. */
const PATIENCE_MS = 30_000
/** Between two looks. */
const LOOK_MS = 100
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
  // This process does nothing else meanwhile.
  let before = process.cpuUsage()
  const add = (finding: Finding) => {
    findings.push(finding)
    tell(finding)
  }
  return new Promise((resolve) => {
    const end = (problem?: string) => {
      clearInterval(timer)
      if (problem !== undefined) add({ name: begun, problem })
      void worker.terminate()
      resolve(findings)
    }
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if (user + system > patienceMs * 1000)
        end(`It did not come back within ${patienceMs / 1000} s: does it loop?`)
    }, LOOK_MS)
    worker.on("message", (message: Message) => {
      before = process.cpuUsage()
      if ("begun" in message) begun = message.begun
      else add({ name: begun, ...message })
    })
    worker.on("error", (error) => end(error.message))
    worker.on("exit", () => end())
  })
}
