import { expect, test } from "vitest"
import { withKnownVariables } from "../../../../controller/core/annotations/variables.ts"
import {
  isNginxVariable,
  nginxVariables,
  variablesIn,
} from "../../../../controller/core/options/nginx-variables.ts"

test.each([
  ["plain", []],
  [`$host-\${args}`, ["host", "args"]],
  ["$1$2x", []],
  ["$Host", ["Host"]],
])("%s names %j", (text, names) => {
  expect(variablesIn(text)).toEqual(names)
})

test.each(["$", "a$", "$-", "$ {a}", `\${a`, "$0", `\${1}`, "$$"])("%j is no text with variables", (text) => {
  expect(variablesIn(text)).toBeUndefined()
})

test("headers, arguments and cookies have variables of any name", () => {
  expect(["http_x_y", "arg_a", "cookie_sid", "upstream_http_x", "HTTP_x"].map(isNginxVariable)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
  expect(withKnownVariables("$HTTP_X").kind).toBe("value")
})

test("an unknown one is answered with the nearest", () => {
  expect(withKnownVariables("$request_url")).toEqual({
    kind: "refused",
    reason: "nginx has no variable $request_url, did you mean $request_uri",
  })
})

test("the names are in order, each once", () => {
  expect([...new Set(nginxVariables)].sort()).toEqual(nginxVariables)
})
