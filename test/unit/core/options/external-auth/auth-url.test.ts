import { expect, test } from "vitest"
import { authUrl } from "../../../../../controller/core/options/external-auth/auth-url.ts"

const name = (text: string) => ({ kind: "name", text })

test.each([
  ["http://auth.test", "http", name("auth.test"), 80, "/"],
  ["https://auth.test/", "https", name("auth.test"), 443, "/"],
  ["HTTPS://Auth.Test:8443/Verify", "https", name("auth.test"), 8443, "/Verify"],
  [
    "http://auth.demo.svc.cluster.local.:4180/a?b=c",
    "http",
    name("auth.demo.svc.cluster.local"),
    4180,
    "/a?b=c",
  ],
  ["http://auth?x=y", "http", name("auth"), 80, "/?x=y"],
  ["http://10.0.0.1:81/%2Fa+b", "http", { kind: "address", text: "10.0.0.1" }, 81, "/%2Fa+b"],
  ["http://[2001:db8::1]/", "http", { kind: "address", text: "2001:db8::1" }, 80, "/"],
  ["https://$host/oauth2/auth", "https", { kind: "own" }, 443, "/oauth2/auth"],
  [`https://\${http_host}:444`, "https", { kind: "own" }, 444, "/"],
  ["https://$best_http_host/a", "https", { kind: "own" }, 443, "/a"],
  ["https://$server_name/a", "https", { kind: "own" }, 443, "/a"],
  [
    "https://auth.test/verify?uri=$scheme://$host$request_uri",
    "https",
    name("auth.test"),
    443,
    "/verify?uri=$scheme://$host$request_uri",
  ],
  [" http://auth.test / a", "http", name("auth.test"), 80, "/a"],
])("%s is understood", (text, scheme, host, port, target) => {
  expect(authUrl.parse(text)).toEqual({ kind: "value", value: { scheme, host, port, target } })
})

test.each([
  ["no scheme", "auth.test/verify"],
  ["another scheme", "ftp://auth.test/"],
  ["a scheme that is a variable", "$scheme://auth.test/"],
  ["no host", "http:///verify"],
  ["a host with dots in a row", "https://invalid..auth.url"],
  ["a host that is no name", "http://-auth.test/"],
  ["a host of any variable", "http://$http_x_target/"],
  ["a host of an argument", "http://$arg_host/"],
  ["a host that only begins as one that is allowed", "http://$hostname/"],
  ["a host with more than a variable", "http://$host.evil.test/"],
  ["a name with a variable behind it", "http://auth.$host/"],
  ["this machine", "http://localhost:8080/"],
  ["this machine by a longer name", "http://x.localhost/"],
  ["a user", "http://user@auth.test/"],
  ["a user and a password", "http://user:password@auth.test/"],
  ["port 0", "http://auth.test:0/"],
  ["a port that is too large", "http://auth.test:65536/"],
  ["a port without digits", "http://auth.test:/"],
  ["a variable as port", "http://auth.test:$server_port/"],
  ["an address that is none", "http://[::1::]/"],
  ["an address with a zone", "http://[fe80::1%eth0]/"],
  ["an unknown variable", "http://auth.test/$no_such"],
  ["a variable that is decoded", "http://auth.test$uri"],
  ["a decoded variable in the query", "http://auth.test/?u=$uri"],
  ["a group of the path", "http://auth.test/$1"],
  ["a dollar alone", "http://auth.test/a$"],
  ["a fragment", "http://auth.test/#a"],
  ["a quote", 'http://auth.test/"'],
  ["an end of a directive", "http://auth.test/;return 200"],
  ["a block", "http://auth.test/\\{"],
  ["a line break", "http://auth.test/\nX: y"],
  ["a carriage return", "http://auth.test/\rX: y"],
  ["a NUL", "http://auth.test/\u0000"],
  ["a valid end", "x http://auth.test/"],
  ["a long path", `http://auth.test/${"a".repeat(4096)}`],
])("%s is refused", (_, text) => {
  expect(authUrl.parse(text).kind).toBe("refused")
})
