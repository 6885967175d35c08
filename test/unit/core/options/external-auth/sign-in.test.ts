import { describe, expect, test } from "vitest"
import {
  redirectParameter,
  signInUrl,
  withRedirectParameter,
} from "../../../../../controller/core/options/external-auth/sign-in.ts"

describe("the URL that clients are sent to", () => {
  test.each([
    "https://auth.test/start",
    "http://auth.test:8080",
    "https://auth.test?next=1#top",
    "https://$host/oauth2/start?rd=$escaped_request_uri",
    "$scheme://$http_host/login",
    `https://login.\${host}/a`,
    "/oauth2/sign_in",
  ])("may be %s", (text) => {
    expect(signInUrl.parse(text)).toEqual({ kind: "value", value: text })
  })

  test.each([
    ["no URL", "auth-signin-url"],
    ["a script", "javascript:alert(1)"],
    ["another host in two slashes", "//evil.test/"],
    ["another host in a backslash", "/\\evil.test/"],
    ["a host of the client's choice", "https://$arg_next/"],
    ["a header as the host", "https://$http_x_forwarded_host/"],
    ["a host that goes on in a variable", "https://auth.test$arg_next"],
    ["a user in front of the host", "https://auth.test@evil.test/"],
    ["a cookie for others to see", "https://auth.test/?c=$cookie_session"],
    ["a password for others to see", "https://auth.test/?c=$http_authorization"],
    ["a variable that is decoded", "https://auth.test/?u=$uri"],
    ["an unknown variable", "https://auth.test/$no_such"],
    ["two fragments", "https://auth.test/#a#b"],
    ["a line break", "https://auth.test/\r\nSet-Cookie: a=b"],
    ["a quote", 'https://auth.test/"'],
  ])("is not %s", (_, text) => {
    expect(signInUrl.parse(text).kind).toBe("refused")
  })
})

const origin = "$pass_access_scheme://$best_http_host$escaped_request_uri"

test.each([
  ["https://a.test/start", `https://a.test/start?rd=${origin}`],
  ["https://a.test/start?", `https://a.test/start?rd=${origin}`],
  ["https://a.test/start?foo=1", `https://a.test/start?foo=1&rd=${origin}`],
  ["https://a.test/start?foo=1&", `https://a.test/start?foo=1&rd=${origin}`],
  ["https://a.test/start?rd=", `https://a.test/start?rd=&rd=${origin}`],
  ["https://a.test/start?rdx=1", `https://a.test/start?rdx=1&rd=${origin}`],
  ["https://a.test/start?rd=foo", "https://a.test/start?rd=foo"],
  ["https://a.test/start?%72d=foo", "https://a.test/start?%72d=foo"],
  ["https://a.test/start#top", `https://a.test/start?rd=${origin}#top`],
  ["https://a.test/start?a=b#top?rd=x", `https://a.test/start?a=b&rd=${origin}#top?rd=x`],
  ["/start", `/start?rd=${origin}`],
])("144, 146: %s leads back", (url, expected) => {
  expect(withRedirectParameter(url, "rd")).toBe(expected)
})

test("the parameter may have another name, but is one", () => {
  expect(withRedirectParameter("https://a.test/?rd=1", "orig")).toBe(`https://a.test/?rd=1&orig=${origin}`)
  expect(redirectParameter.parse("redirect_uri").kind).toBe("value")
  for (const text of ["a=b&c", "a b?", "$host", "a#", ""])
    expect(redirectParameter.parse(text).kind).toBe("refused")
})
