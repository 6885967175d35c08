// No false "as before", and no false "different": what ingress-nginx was recorded to answer is asked of wick, and where that answers something else
// `wick lint` has said so, by the rules that are about it.
import { afterAll, beforeAll, expect, test } from "vitest"
import { lint } from "../../../cli/lint/lint.ts"
import { lintObjectsOf } from "../../../cli/lint/objects.ts"
import type { JudgedIngress } from "../../../cli/lint/report.ts"
import { Echo } from "../../../harness/echo.ts"
import type { Answer } from "../../../harness/http.ts"
import { ingress, ingressClass, type Json, listOf, secret, serviceOn } from "../../../harness/manifests.ts"
import { changesOf, optionsOf } from "../../../harness/translation.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import {
  type Recorded,
  type RecordedCase,
  type RecordedRequest,
  recordedCases as recordedAnswers,
} from "../../support/recorded-answers.ts"
import { recordedDifferences } from "../../support/recorded-differences.ts"
import { recordedRefusals } from "../../support/recorded-refusals.ts"

const recordedCases = [...recordedAnswers, ...recordedDifferences, ...recordedRefusals]

const echo = new Echo()
let wick: Wick
let judged: ReadonlyMap<string, JudgedIngress>

beforeAll(async () => {
  await echo.start()
  const objects: Json[] = [
    ingressClass,
    secret("app/users", { auth: "foo:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" }),
    ...recordedCases.flatMap((it, at) => objectsOf(it, at)),
  ]
  const options = optionsOf(["--manifests=recorded"])
  const given = lintObjectsOf(
    objects.flatMap((object) => changesOf(object, "recorded")),
    options,
    true,
  )
  const report = lint(given, { options, badFlags: [], nowMs: Date.now() })
  judged = new Map(report.ingresses.map((it) => [it.object.name, it]))
  wick = await startWick({
    manifests: { "all.json": listOf(objects) },
    flags: ["--resolv-conf=/dev/null"],
  })
})
afterAll(async () => {
  await wick.stop()
  await echo[Symbol.asyncDispose]()
})

test.each(recordedCases.map((it, at) => [it.name, it, at] as const))("%s", async (_, it, at) => {
  const differing: string[] = []
  for (const asked of it.asks) differing.push(...(await differences(asked, at)))
  const verdicts = [`c${at}`, `c${at}-second`].flatMap((name) => judged.get(name)?.verdict ?? [])
  expect(verdicts.length).toBeGreaterThan(0)
  if (verdicts.every((verdict) => verdict === "same")) expect(differing).toEqual([])
  if (it.rules === undefined) return
  expect(judged.get(`c${at}`)?.findings.map(({ rule }) => rule)).toEqual(it.rules)
  for (const asked of it.asks) {
    const answered = asked.wick ? { ...asked, answer: asked.wick } : asked
    expect(await differences(answered, at)).toEqual([])
  }
})

test("there are 150 of them", () => {
  expect(recordedCases.length).toBeGreaterThanOrEqual(150)
})

test("most of them are said to serve as before, so that this tells something", () => {
  const same = [...judged.values()].filter(({ verdict }) => verdict === "same")
  expect(same.length).toBeGreaterThan(recordedCases.length / 2)
})

/** A Service of its own for each, so that no case decides how another one is balanced. */
function objectsOf({ paths, annotations, second }: RecordedCase, at: number): Json[] {
  const rules = (of: readonly string[], suffix: string) =>
    of.map((text) => {
      const [path = "/", sign = "", other] = /^(\S+)(?: ([=~]))?(?: (\w+))?$/.exec(text)?.slice(1) ?? []
      const name = other ?? `echo${at}${suffix}`
      return `${hostOf(at)}${path} ${sign ?? ""}→ ${name}:80`
    })
  const named = Object.entries(annotations ?? {}).map(([key, value]) => [
    key,
    value.replace("HOST", hostOf(at)),
  ])
  const own = {
    ...(Object.fromEntries(named) as Record<string, string>),
    ...(annotations?.["default-backend"] && { "default-backend": `echo${at}` }),
  }
  return [
    ingress(`app/c${at}`, rules(paths, ""), own, 1),
    ...serviceOn(`app/echo${at}`, [echo.port]),
    ...(second ? [ingress(`app/c${at}-second`, rules(second.paths, "-2"), second.annotations, 2)] : []),
    ...(second ? serviceOn(`app/echo${at}-2`, [echo.port]) : []),
  ]
}

function hostOf(at: number): string {
  return `c${at}.test`
}

/** What of an answer is not as it was recorded. */
async function differences(asked: RecordedRequest, at: number): Promise<string[]> {
  const { path = "/", method = "GET", headers = {}, host = hostOf(at), answer } = asked
  const got = await wick.get(path, { method, headers, host })
  const named = (text: string) => text.replaceAll("HOST", hostOf(at))
  const wrong = answer.status === got.status ? [] : [`${path}: ${got.status} instead of ${answer.status}`]
  if (wrong.length > 0) return wrong
  return [...headerFaults(answer.headers, got.headers, named), ...backendFaults(answer, got, named)].map(
    (fault) => `${path}: ${fault}`,
  )
}

function headerFaults(
  wanted: Recorded["headers"],
  got: Readonly<Record<string, unknown>>,
  named: (text: string) => string,
): string[] {
  return Object.entries(wanted ?? {}).flatMap(([name, value]) => {
    const text = got[name] === undefined ? null : String(got[name])
    // a cookie's key and attributes are not the same twice
    const isSame =
      name === "set-cookie" && value !== null ? text?.startsWith(value) : text === (value && named(value))
    return isSame ? [] : [`${name} is ${text} instead of ${value}`]
  })
}

function backendFaults({ url, sent }: Recorded, got: Answer, named: (text: string) => string): string[] {
  if (url === undefined && sent === undefined) return []
  const seen = got.json() as { url: string; headers: Record<string, string> }
  const wrong =
    url === undefined || seen.url === url ? [] : [`the backend sees ${seen.url} instead of ${url}`]
  return [...wrong, ...headerFaults(sent, seen.headers, named)]
}
