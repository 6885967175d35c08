// Headers of responses.
import type { CaseRequest, SnippetCase } from "../case.ts"
import { answered, get } from "./ask.ts"

const securityHeaders: readonly CaseRequest[] = [
  get("/"),
  answered(404),
  answered(500),
  answered(304),
  answered(201),
  answered(302, ["Location", "/next"]),
  answered(200, ["X-Frame-Options", "ALLOWALL"], ["Cache-Control", "no-store"], ["X-Powered-By", "PHP/8"]),
]

export const headers: readonly SnippetCase[] = [
  {
    name: "security headers by add_header",
    location: `
add_header X-Frame-Options "SAMEORIGIN" always;
add_header X-Content-Type-Options nosniff;
add_header Content-Security-Policy "default-src 'self'; img-src 'self' data: https:;" always;
add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;`,
    requests: securityHeaders,
  },
  {
    name: "security headers by more_set_headers",
    location: `
more_set_headers "X-Frame-Options: DENY" "X-Content-Type-Options: nosniff";
more_set_headers 'Permissions-Policy: camera=(), microphone=()';
more_clear_headers X-Powered-By Server;`,
    requests: securityHeaders,
  },
  {
    name: "security headers of the host",
    server: `
add_header X-Robots-Tag "noindex, nofollow";
more_set_headers "Referrer-Policy: no-referrer";`,
    requests: securityHeaders,
  },
  {
    name: "headers of host and path",
    server: `add_header X-From-Server yes always; more_set_headers "X-More: server";`,
    location: `add_header X-From-Location yes always; more_set_headers "X-More: location";`,
    requests: securityHeaders,
  },
  {
    name: "headers by status",
    location: `
more_set_headers -s 404 "Cache-Control: no-store";
more_set_headers -s "500 503" -t text/html "Retry-After: 30";
more_set_headers -t "text/plain" "X-Plain: yes";`,
    requests: [
      ...securityHeaders,
      get("/", {}, { status: 500, headers: [["Content-Type", "text/html; charset=utf-8"]] }),
      get("/", {}, { status: 200, headers: [["Content-Type", "text/plain"]] }),
    ],
  },
  {
    name: "server version of the backend hidden",
    location: `
proxy_hide_header X-Powered-By;
proxy_hide_header X-Runtime;
proxy_hide_header Set-Cookie;`,
    requests: [
      answered(200, ["X-Powered-By", "node"], ["X-Runtime", "1"], ["Set-Cookie", "a=1"], ["X-Other", "1"]),
    ],
  },
  {
    name: "long-lived assets",
    location: `
if ($request_uri ~* "\\.(js|css|png|woff2?)$") {
  expires 365d;
  add_header Cache-Control "public, immutable";
}`,
    requests: [
      get("/app.js"),
      get("/app.js?v=1"),
      get("/a/b.WOFF2"),
      get("/index.html"),
      get("/"),
      answered(404),
    ],
  },
  {
    name: "nothing is kept",
    location: `
expires -1;
add_header Cache-Control "no-store, no-cache, must-revalidate";
add_header Pragma no-cache always;`,
    requests: [
      ...securityHeaders,
      answered(200, ["Expires", "0"], ["Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"]),
    ],
  },
  {
    name: "expires as variables and words say",
    location: `expires $arg_for;`,
    requests: ["epoch", "max", "off", "30", "-1", "1d", "junk", ""].map((word) => get(`/?for=${word}`)),
  },
  {
    name: "header of a cookie",
    location: `add_header X-Session $cookie_session; add_header Set-Cookie "seen=$cookie_session; Path=/; HttpOnly";`,
    requests: [
      get("/", { Cookie: "session=abc; other=1" }),
      get("/"),
      answered(200, ["Set-Cookie", "own=1"]),
    ],
  },
  {
    name: "headers of the answer in others",
    location: `
add_header X-Upstream-Status $upstream_status always;
add_header X-Version $upstream_http_x_app_version;
add_header X-Kind "kind $sent_http_content_type" always;`,
    requests: [
      answered(200, ["X-App-Version", "1.2"], ["Content-Type", "text/css"]),
      answered(503),
      get("/"),
    ],
  },
  {
    name: "ETag by both, of which headers-more knows no more than of any header",
    location: `add_header ETag one always; more_set_headers "ETag: two";`,
    requests: [get("/"), answered(200, ["ETag", '"x"'])],
  },
  {
    name: "a charset stays when its type is taken away",
    location: `more_clear_headers Content-Type; more_set_headers "Content-Type: text/x";`,
    requests: [answered(200, ["Content-Type", "text/html; charset=utf-8"])],
  },
]
