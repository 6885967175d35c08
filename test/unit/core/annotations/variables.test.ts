import { describe, expect, test } from "vitest"
import { readAnnotations } from "../../../../controller/core/annotations/read.ts"
import { pathTemplate } from "../../../../controller/core/annotations/texts.ts"
import { variableText } from "../../../../controller/core/annotations/variables.ts"
import { withKnownVariable, withKnownVariables } from "../../../../controller/core/options/known-variables.ts"
import {
  isNginxVariable,
  nginxVariables,
  variablesIn,
} from "../../../../controller/core/options/nginx-variables.ts"
import { ingress, options } from "../../../../harness/objects.ts"

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

/** Every annotation whose value may have variables, each with a value that has one that nginx does not. */
test.each([
  ["upstream-hash-by", "$reqest_uri", "$request_uri"],
  ["upstream-vhost", "$hots", "$host"],
  ["proxy-ssl-name", "$hots.internal", "$host"],
  ["rewrite-target", "/$hots/$1", "$host"],
  ["app-root", "/$hots", "$host"],
  ["x-forwarded-prefix", "/$hots", "$host"],
  ["mirror-target", "https://mirror.test$reqest_uri", "$request_uri"],
  ["mirror-host", "$hots", "$host"],
  ["auth-url", "http://auth.test/?uri=$reqest_uri", "$request_uri"],
  ["auth-signin", "https://auth.test/?uri=$reqest_uri", "$request_uri"],
  ["auth-request-redirect", "https://a.test$reqest_uri", "$request_uri"],
  ["auth-cache-key", "$remote_usr", "$remote_user"],
])("%s: %s was meant to be %s", (name, value, meant) => {
  const { problems } = readAnnotations(ingress("shop/cart", [], { [name]: value }), options.annotationsPrefix)
  const about = problems.filter(({ field }) => field?.includes(`/${name}"`))
  expect(about.map(({ message }) => message).join()).toContain(`did you mean ${meant}`)
})

test("what nginx says of one in its configuration, too", () => {
  const complaint = 'Cannot use the new nginx.conf: unknown "reqest_uri" variable'
  expect(withKnownVariable(complaint)).toBe(`${complaint}; did you mean $request_uri?`)
  expect(withKnownVariable("something else")).toBe("something else")
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

describe("credentials", () => {
  test.each([
    "/$http_authorization",
    "/x$HTTP_Proxy_Authorization",
    "/$http_cookie",
    "/$cookie_session/x",
    "/$uri$upstream_cookie_sid",
    "/$sent_http_set_cookie",
    "/$upstream_http_set_cookie",
  ])("do not go into what others see: %s", (text) => {
    expect(pathTemplate(text)).toMatchObject({ kind: "refused", reason: expect.stringContaining("sessions") })
    expect(variableText(text)).toMatchObject({ kind: "refused", reason: expect.stringContaining("sessions") })
  })

  test("in braces neither", () => {
    expect(variableText(`a\${cookie_sid}`).kind).toBe("refused")
  })

  test.each([
    "/$http_cookies",
    "/$http_x_authorization",
    "/$arg_cookie",
    "/http_cookie",
    "/$host",
  ])("what only looks like them does: %s", (text) => {
    expect(pathTemplate(text).kind).toBe("value")
  })
})
