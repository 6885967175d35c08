import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { openMetrics } from "../../../../controller/report/observe/openmetrics.ts"

async function* inParts(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const one of texts) yield Buffer.from(one)
}

const converted = (...texts: readonly string[]) => text(openMetrics(inParts(texts)))

const head = (name: string, type: string, help = "Help") => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

test("it ends with a line that says so, once", async () => {
  expect(await converted()).toBe("# EOF\n")
  const parts = [`${head("a", "gauge")}a 1\n`, "a 2\n"]
  expect(await converted(...parts)).toBe(`${parts.join("")}# EOF\n`)
})

test("families of counters have no _total, their samples have", async () => {
  const given = `${head("reloads_total", "counter")}reloads_total{reason="start"} 1\n`
  expect(await converted(given)).toBe(`${head("reloads", "counter")}reloads_total{reason="start"} 1\n# EOF\n`)
})

test("a counter without _total keeps its name, and is of no type that this format knows", async () => {
  const given = `${head("requests", "counter")}requests{status="200"} 7\n`
  expect(await converted(given)).toBe(`${head("requests", "unknown")}requests{status="200"} 7\n# EOF\n`)
})

test("no two families have one name", async () => {
  const given = `${head("open", "gauge")}open 1\n`
  const other = `${head("open_total", "counter")}open_total 5\n`
  expect(await converted(given, other)).toBe(`${given}${head("open_total", "unknown")}open_total 5\n# EOF\n`)
})

test("bounds are canonical numbers, and what only looks like one stays", async () => {
  const rows = [
    ['a_bucket{le="1"} 1', 'a_bucket{le="1.0"} 1'],
    ['a_bucket{x="y",le="10"} 1', 'a_bucket{x="y",le="10.0"} 1'],
    ['a_bucket{le="0.5",x="y"} 1', 'a_bucket{le="0.5",x="y"} 1'],
    ['a_bucket{le="1e+06"} 1', 'a_bucket{le="1e+06"} 1'],
    ['a_bucket{le="+Inf"} 1', 'a_bucket{le="+Inf"} 1'],
    ['a{rule="1",path="{le=\\"1\\"}"} 1', 'a{rule="1",path="{le=\\"1\\"}"} 1'],
  ]
  const [given, wanted] = [0, 1].map((side) => rows.map((row) => `${row[side]}\n`).join(""))
  expect(await converted(given ?? "")).toBe(`${wanted}# EOF\n`)
})

test("help is quoted, and there are no empty lines", async () => {
  const given = `\n${head("a", "gauge", 'What "a" is \\n')}a 1\n\n\n${head("b", "gauge")}b 1\n\n`
  expect(await converted(given)).toBe(
    `${head("a", "gauge", 'What \\"a\\" is \\n')}a 1\n${head("b", "gauge")}b 1\n# EOF\n`,
  )
})

test("parts may be cut anywhere", async () => {
  const given = `${head("requests_total", "counter", "Größe")}requests_total{path="/ü"} 1\n${head("a", "histogram")}a_bucket{le="1"} 1\n`
  const bytes = Buffer.from(given)
  const whole = await converted(given)
  for (let at = 0; at <= bytes.length; at += 1) {
    const parts = (async function* () {
      yield bytes.subarray(0, at)
      yield bytes.subarray(at)
    })()
    expect(await text(openMetrics(parts))).toBe(whole)
  }
})
