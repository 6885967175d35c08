import { expect, test } from "vitest"
import { mirrorAnnotations } from "../../../../controller/core/annotations/mirror.ts"

const { parse } = mirrorAnnotations.target

test.each([
  ["http://a.test", "http", "a.test", 80, "$request_uri"],
  ["https://A.test:8443/", "https", "a.test", 8443, "/"],
  ["https://a.test$request_uri", "https", "a.test", 443, "$request_uri"],
  ["http://10.0.0.1/x?y=$arg_z", "http", "10.0.0.1", 80, "/x?y=$arg_z"],
  ["http://[fd00::1]:80/x", "http", "fd00::1", 80, "/x"],
])("%s is %s to %s:%i, %s", (text, scheme, host, port, path) => {
  expect(parse(text)).toEqual({ kind: "value", value: { scheme, host, port, path, url: text } })
})

// The target of a mirror: neither the client nor the author of the Ingress may choose another host, a socket, or another user's password.
test.each([
  "a.test",
  "//a.test/",
  "$scheme://a.test/",
  "http://$host/",
  "http://a$arg_b.test/",
  "http://a.test$arg_b",
  "http://a.test$request_uri_b",
  "http://a.test$uri",
  "http://a.test/$document_uri",
  "http://a.test/$1",
  `http://a.test\${request_uri_b}`,
  "http://a.test:$arg_p/",
  "http://a.test:99999/",
  "http://a.test:/",
  "http://unix:/run/x.sock",
  "http://unix:/run/x.sock:/",
  "http://user@a.test/",
  "http://a.test\\@b.test/",
  "http://a.test?b",
  "file:///etc/passwd",
  "http:///x",
  "http://-a.test/",
])("%s is refused", (text) => {
  expect(parse(text)).toMatchObject({ kind: "refused" })
})
