import { describe, expect, test } from "vitest"
import type { Problem } from "../../../../controller/model/problem.ts"
import { createLog } from "../../../../controller/report/observe/log.ts"
import { ProblemReport } from "../../../../controller/report/problems/problem-report.ts"

/** A log and the lines it has written. */
function recorded(isPretty = false, verbosity = 0) {
  const lines: string[] = []
  const log = createLog({ verbosity, isPretty, destination: { write: (line) => void lines.push(line) } })
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

const problem: Problem = {
  object: { kind: "Ingress", namespace: "shop", name: "cart" },
  field: "spec.rules[0].host",
  code: "host-refused",
  message: 'Host "A b" is no DNS name',
}

describe("the log", () => {
  test("has constant text plus fields, as JSON", () => {
    const { log, records } = recorded()
    log.info({ generation: "7f-1" }, "Posted changes")
    expect(records()).toEqual([
      { level: "info", time: expect.any(String), generation: "7f-1", msg: "Posted changes" },
    ])
  })

  test("has debug lines from -v 2 on", () => {
    const [quiet, loud] = [recorded(false, 1), recorded(false, 2)]
    for (const { log } of [quiet, loud]) log.debug("x")
    expect([quiet.lines.length, loud.lines.length]).toEqual([0, 1])
  })

  test("never shows the data of Secrets", () => {
    const { log, lines } = recorded()
    log.info({ data: { password: "hunter2" }, secret: { stringData: "hunter2" } }, "x")
    expect(lines.join()).not.toContain("hunter2")
  })
})

describe("Problems", () => {
  test("are told when they appear and when they are gone, and not in between", () => {
    const { log, records } = recorded()
    const report = new ProblemReport(log)
    const other = { ...problem, message: "Other" }
    const appeared = [[problem, problem], [{ ...problem }], [other], []].map((all) => report.update(all))
    expect(appeared).toEqual([[problem], [], [other], []])
    const object = { kind: "Ingress", namespace: "shop", name: "cart" }
    expect(records().map(({ level, msg, object, detail }) => [level, msg, object, detail])).toEqual([
      ["error", "Problem", object, problem.message],
      ["error", "Problem", object, "Other"],
      ["info", "Problem settled", object, problem.message],
      ["info", "Problem settled", object, "Other"],
    ])
  })

  test("come with what to do about them, as the catalogue has it", () => {
    const { log, records } = recorded()
    new ProblemReport(log).update([problem])
    expect(records()).toMatchObject([
      { code: "host-refused", remedy: 'Write a DNS name, or "*." and a DNS name' },
    ])
  })

  test("are as loud as they are bad", () => {
    const { log, records } = recorded()
    const codes = ["secret-missing", "annotation-unknown", "annotation-overridden"] as const
    new ProblemReport(log).update(codes.map((code) => ({ ...problem, code })))
    expect(records().map(({ level, severity }) => [level, severity])).toEqual([
      ["error", "error"],
      ["warn", "warning"],
      ["info", "info"],
    ])
  })

  test("are one line for people", () => {
    const { log, lines } = recorded(true)
    new ProblemReport(log).update([problem])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out
    const plain = lines.join("").replace(/\u001b\[\d+m/g, "")
    expect(plain).toMatch(
      /ERROR: Problem: Ingress "shop\/cart" spec\.rules\[0\]\.host: Host "A b" is no DNS name \{"code":"host-refused"\}\n$/,
    )
  })
})
