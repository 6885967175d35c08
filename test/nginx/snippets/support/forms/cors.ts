// CORS by hand.
import type { SnippetCase } from "../case.ts"
import { by, get } from "./ask.ts"

export const cors: readonly SnippetCase[] = [
  {
    name: "CORS by if",
    location: `
if ($http_origin ~* "^https?://(.+\\.)?example\\.test$") {
  more_set_headers "Access-Control-Allow-Origin: $http_origin";
  more_set_headers "Access-Control-Allow-Credentials: true";
}
if ($request_method = OPTIONS) {
  more_set_headers "Access-Control-Allow-Methods: GET, POST";
  more_set_headers "Content-Length: 0";
  return 204;
}`,
    requests: [
      get("/"),
      get("/", { Origin: "https://app.example.test" }),
      get("/", { Origin: "https://evil.test" }),
      by("OPTIONS", "/", { Origin: "https://app.example.test", "Access-Control-Request-Method": "POST" }),
      by("OPTIONS", "/"),
      by("POST", "/", { Origin: "https://example.test" }),
    ],
  },
  {
    name: "CORS by a variable of two halves",
    location: `
set $cors "";
if ($http_origin = "https://app.test") { set $cors "true"; }
if ($request_method = "OPTIONS") { set $cors "\${cors}options"; }
if ($cors = "true") { add_header Access-Control-Allow-Origin "$http_origin" always; }
if ($cors = "trueoptions") {
  add_header Access-Control-Allow-Origin "$http_origin";
  add_header Access-Control-Max-Age 3600;
  add_header Content-Type "text/plain charset=UTF-8";
  return 204;
}`,
    requests: [
      get("/"),
      get("/", { Origin: "https://app.test" }),
      get("/", { Origin: "https://app.test" }, { status: 500 }),
      by("OPTIONS", "/", { Origin: "https://app.test" }),
      by("OPTIONS", "/", { Origin: "https://other.test" }),
    ],
  },
]
