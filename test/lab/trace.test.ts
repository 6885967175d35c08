// What the trace reader takes, and how it says no.
import { expect, test } from "vitest"
import { generate, scenarios } from "../../lab/simulate/scenarios.ts"
import { parse, print } from "../../lab/simulate/trace.ts"

const head = '{"kind":"trace","version":1,"name":"t","timeout_ms":5000,"tries":3}'
const add = '{"kind":"add","at_ms":0,"endpoint":"10.0.0.1:80","weight":1,"slots":1,"queue":0}'
const request = (at_ms: unknown) =>
  JSON.stringify({ kind: "request", at_ms, service_ms: 1, client: 0, uri: "/" })

const size = { seed: 1, seconds: 2, endpoints: 10, rate: 200 }

test.each(Object.keys(scenarios))("the reader takes what the generator writes: %s", (name) => {
  const trace = generate(name, size)
  expect(parse(print(trace))).toEqual(trace)
  expect(trace.events.length).toBeGreaterThan(3000)
})

test("the same seed makes the same trace, another seed another one", () => {
  const text = (seed: number) => print(generate("steady", { ...size, seed }))
  expect(text(1)).toBe(text(1))
  expect(text(1)).not.toBe(text(2))
})

test.each([
  ["", 1, "it is not JSON"],
  [`${head}\n${add}\nnonsense`, 3, "it is not JSON"],
  [`${head}\n[]`, 2, "it is not a JSON object"],
  ['{"kind":"trace","version":2,"name":"t","timeout_ms":1,"tries":1}', 1, '"version" must be one of 1'],
  [add, 1, 'the field "at_ms" is unknown'],
  [`${head}\n{"kind":"stop"}`, 2, '"kind" must be one of "add", "remove", "slow", "fault", "request"'],
  [`${head}\n${request(-1)}`, 2, '"at_ms" must be a number from 0 to 86400000'],
  [`${head}\n${request("1")}`, 2, '"at_ms" must be a number from 0 to 86400000'],
  [`${head}\n${request(2)}\n${request(1)}`, 3, '"at_ms" is before that of the line before, 2'],
  [`${head}\n${add}\n${add}`, 3, "10.0.0.1:80 is there already"],
  [`${head}\n{"kind":"remove","at_ms":0,"endpoint":"10.0.0.1:80"}`, 2, "10.0.0.1:80 is not there"],
  [
    `${head}\n{"kind":"slow","at_ms":0,"endpoint":"web","factor":2}`,
    2,
    '"endpoint" must be an endpoint such as "10.0.0.1:8080"',
  ],
  [
    `${head}\n{"kind":"slow","at_ms":0,"endpoint":"10.0.0.1:80","factor":0}`,
    2,
    '"factor" must be a number from 0.001 to 1000000',
  ],
  [`${head}\n${request(1).replace("uri", "url")}`, 2, 'the field "url" is unknown'],
])("a bad line is named with the reason: %j", (text, line, reason) => {
  expect(() => parse(text)).toThrow(`Cannot read line ${line} of the trace: ${reason}`)
})

test("an endpoint that was removed may still become slow", () => {
  const remove = '{"kind":"remove","at_ms":1,"endpoint":"10.0.0.1:80"}'
  const slow = '{"kind":"slow","at_ms":1,"endpoint":"10.0.0.1:80","factor":2}'
  expect(parse([head, add, remove, slow].join("\n")).events).toHaveLength(3)
})
