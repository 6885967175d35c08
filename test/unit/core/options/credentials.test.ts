import { describe, expect, test } from "vitest"
import { credentialIn, unlogged } from "../../../../controller/core/options/credentials.ts"
import { noObjects } from "../../../../controller/core/options/key.ts"
import { keys } from "../../../../controller/core/options/key-table.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"

const holders = [
  "http_authorization",
  "HTTP_Proxy_Authorization",
  "http_cookie",
  "cookie_session",
  "upstream_cookie_sid",
  "sent_http_set_cookie",
  "upstream_http_set_cookie",
]

test.each(holders)("$%s is found, with and without braces", (name) => {
  expect(credentialIn(`/x$${name}/y`)).toBe(name)
  expect(credentialIn(`/x\${${name}}y`)).toBe(name)
})

test.each([
  "$http_cookies",
  "$http_x_authorization",
  "$arg_cookie",
  "http_cookie",
  "$host",
])("what only looks like one is none: %s", (text) => expect(credentialIn(text)).toBeUndefined())

describe("in a format of log lines", () => {
  test.each(holders)("$%s is a dash, and all other parts stay", (name) => {
    expect(unlogged(`{"a": "$status", "b": "$${name}", "c": "\${${name}}x", "d": "$http_cookies"}`)).toEqual({
      kind: "value",
      value: '{"a": "$status", "b": "-", "c": "-x", "d": "$http_cookies"}',
      remark: `$${name} may hold passwords or sessions, and is logged as "-"`,
    })
  })

  test("a format without stays as it is", () => {
    expect(unlogged("$remote_user $request")).toEqual({ kind: "value", value: "$remote_user $request" })
  })
})

const keyNamed = (name: string) => {
  const found = keys.find((one) => "name" in one && one.name === name)
  if (found === undefined || !("parse" in found)) throw new Error(`no key ${name}`)
  return found
}

test("the access log's format and the names of spans are such values", () => {
  const parsed = keyNamed("log-format-upstream").parse("$status $http_cookie\n", noObjects)
  expect(parsed).toMatchObject({ kind: "value", value: "$status -" })
  expect(keyNamed("opentelemetry-operation-name").parse("GET $cookie_sid", noObjects)).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("sessions"),
  })
})

test("headers of responses are left out, those for backends are not", () => {
  const meta = { namespace: "ns", name: "some", uid: "", createdMs: 0, labels: {}, annotations: {} }
  const data = { "X-Host": "$host", "X-Session": "$cookie_session" }
  const some: ConfigMap = { kind: "ConfigMap", meta, data }
  const objects = { ...noObjects, configMap: () => some }
  expect(keyNamed("add-headers").parse("ns/some", objects)).toEqual({
    kind: "value",
    value: [{ name: "X-Host", value: "$host" }],
    remark: expect.stringContaining("$cookie_session may hold passwords or sessions"),
  })
  expect(keyNamed("proxy-set-headers").parse("ns/some", objects)).toEqual({
    kind: "value",
    value: Object.entries(data).map(([name, value]) => ({ name, value })),
  })
})
