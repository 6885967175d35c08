import { describe, expect, test } from "vitest"
import {
  headerFault,
  responseHeaders,
} from "../../../../../controller/core/options/external-auth/auth-headers.ts"
import { cacheDurations, cacheKey } from "../../../../../controller/core/options/external-auth/cache.ts"
import { authMethod } from "../../../../../controller/core/options/external-auth/method.ts"
import { serviceOfHost } from "../../../../../controller/core/options/external-auth/service.ts"

describe("headers of the answer", () => {
  test("are names separated by commas, each once", () => {
    expect(responseHeaders.parse("X-User, ,x-user,Remote_User")).toEqual({
      kind: "value",
      value: ["X-User", "Remote_User"],
    })
  })

  test.each(["X User", "X-User: a", "X-Üser", "X-\nUser", ",", "a".repeat(254)])("are not %j", (text) => {
    expect(responseHeaders.parse(`X-Ok, ${text}`.replace(/^X-Ok, ,$/, ",")).kind).toBe("refused")
  })

  test.each([
    "Content-Length",
    "content_length",
    "Transfer-Encoding",
    "Transfer_Encoding",
    "Connection",
    "Host",
    "Upgrade",
    "TE",
    "Trailer",
    "Keep-Alive",
    "Expect",
  ])("do not say where a request ends or whom it is for: %s", (name) => {
    expect(responseHeaders.parse(name).kind).toBe("refused")
    expect(headerFault(name)).toBe("is for nginx to set")
  })
})

describe("how long answers are kept", () => {
  const seconds = (text: string) => {
    const parsed = cacheDurations.parse(text)
    return parsed.kind === "refused" ? "refused" : parsed.value.map((one) => [one.status, one.seconds])
  }

  test.each([
    [
      "200 202 10m",
      [
        [200, 600],
        [202, 600],
      ],
    ],
    [
      "200 10m,401 30s, 200 1h",
      [
        [200, 600],
        [401, 30],
      ],
    ],
    [
      "5m",
      [
        [200, 300],
        [301, 300],
        [302, 300],
      ],
    ],
    ["200 1500ms", [[200, 2]]],
    ["200 0s,401 1d", [[401, 86_400]]],
    ["200 1M", [[200, 2_592_000]]],
    ["403 68y", [[403, 2_144_448_000]]],
  ])("%s", (text, expected) => {
    expect(seconds(text)).toEqual(expected)
  })

  test.each([
    "30m 200",
    "200",
    "200 10",
    "200 10m 401",
    "200 any 10m",
    "200,10m",
    "",
    "200 -1m",
    "200 99y",
    "600 1m",
    "200 1m;",
  ])("157: %j is refused", (text) => {
    expect(seconds(text)).toBe("refused")
  })
})

test("a key of kept answers has variables that exist", () => {
  expect(cacheKey.parse("$remote_user $http_authorization")).toEqual({
    kind: "value",
    value: "$remote_user$http_authorization",
  })
  for (const text of ["$no_such", "$1", "$", "a'b", "a;", "a\n", ""]) {
    expect(cacheKey.parse(text).kind).toBe("refused")
  }
})

test.each(["GET;", "get", "POSTX", "xPOST", "POST\n x", "FETCH", "GET|HEAD"])("%j is no method", (text) => {
  expect(authMethod.parse(text).kind).toBe("refused")
})

test.each([
  ["auth", "demo", "auth"],
  ["auth.sso", "sso", "auth"],
  ["auth.sso.svc", "sso", "auth"],
  ["auth.sso.svc.cluster.local", "sso", "auth"],
])("%s may be a Service", (host, namespace, name) => {
  expect(serviceOfHost(host, "demo")).toEqual({ namespace, name })
})

test.each([
  "auth.shop.example.com",
  "a.b.svc.example.com",
  "pod.auth.sso.svc.cluster.local",
  "auth.sso.com",
])("%s is none", (host) => {
  expect(serviceOfHost(host, "demo")).toBeUndefined()
})
