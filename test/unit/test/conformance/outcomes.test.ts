import { expect, test } from "vitest"
import { outcomesIn } from "../../../conformance/support/outcomes.ts"

test("each test of the suite has an outcome, with the first thing that is not so", () => {
  const output = `
=== RUN   TestConformance
    conformance.go:106: Running conformance tests with:
=== RUN   TestConformance/One
=== RUN   TestConformance/One/first_part
    http.go:1: asking
    --- PASS: TestConformance/One (0.10s)
        --- PASS: TestConformance/One/first_part (0.01s)
=== RUN   TestConformance/Two
=== RUN   TestConformance/Two/part
    helpers.go:12:
        	Error Trace:	/suite/helpers.go:12
        	            	/suite/two.go:40
        	Error:      	Received unexpected error:
        	            	context deadline exceeded
        	Test:       	TestConformance/Two/part
        	Messages:   	error waiting for Two
=== NAME  TestConformance/Two
    two.go:41: and no more
    --- FAIL: TestConformance/Two (2.00s)
        --- FAIL: TestConformance/Two/part (2.00s)
    --- SKIP: TestConformance/Three (0.00s)
--- FAIL: TestConformance (3.00s)
FAIL
`
  expect(outcomesIn(output, true)).toEqual([
    { test: "One", state: "passed" },
    {
      test: "Two",
      state: "failed",
      cause: "Received unexpected error: context deadline exceeded error waiting for Two",
    },
    { test: "Three", state: "skipped" },
  ])
})

test("without an assertion the last line is the cause", () => {
  const output = `
=== RUN   TestConformance/One
    weight.go:10: weights are off
    --- FAIL: TestConformance/One (0.10s)
`
  expect(outcomesIn(output, true)).toEqual([
    { test: "One", state: "failed", cause: "weight.go:10: weights are off" },
  ])
})

test("what fails before any test fails as the setup, and so does a program that dies", () => {
  const output = `
=== RUN   TestConformance
    setup.go:1:
        	Error Trace:	/suite/setup.go:1
        	Error:      	no class
        	Test:       	TestConformance
--- FAIL: TestConformance (0.10s)
`
  expect(outcomesIn(output, true)).toEqual([{ test: "setup", state: "failed", cause: "no class" }])
  expect(outcomesIn("panic: no cluster\n", true)).toEqual([
    { test: "setup", state: "failed", cause: "panic: no cluster" },
  ])
})
