// Where wick answers in another way than nginx with the same text. An example of each has to differ: one that no longer does leaves this list.
import type { SnippetCase } from "./case.ts"
import { answered, get } from "./forms/ask.ts"

interface Known {
  /** It is named for what nginx does. */
  readonly example: SnippetCase
  /** Whether a case may differ for this reason; it is not compared. */
  readonly is: (it: SnippetCase) => boolean
}

const says =
  (pattern: RegExp) =>
  ({ server = "", location = "" }: SnippetCase) =>
    pattern.test(`${server}\n${location}`)

/** It reads a header of the request that it changes before it has changed it, or in the same directive. */
function asksForWhatItChanges({ server = "", location = "" }: SnippetCase): boolean {
  const lines = `${server}\n${location}`.split("\n")
  const changing = lines
    .filter((line) => /more_\w+_input_headers/.test(line))
    .map((line) => line.toLowerCase())
  const asking = [...lines.filter((line) => /^if /.test(line)), ...changing].join()
  const asked = [...asking.matchAll(/\$\{?(?:http_(\w+)|(cookie)_)/g)].map(
    ([, header, cookie]) => header ?? cookie ?? "",
  )
  return asked.some((name) => changing.some((line) => line.includes(name.replaceAll("_", "-"))))
}

export const known: readonly Known[] = [
  {
    is: (it) =>
      says(/limit_except/)(it) && says(/\$\{?(namespace|ingress_name|service_\w+|location_path)/)(it),
    example: {
      name: "a location's variables are empty behind limit_except",
      location: 'limit_except GET { deny all; } add_header X-New "$service_name" always;',
      requests: [{ target: "/", method: "POST" }],
    },
  },
  {
    is: (it) => says(/limit_except/)(it) && says(/more_\w+_input_headers/)(it) && says(/error_page/)(it),
    example: {
      name: "headers of the request are changed before limit_except refuses, and the page's backend sees them so",
      server: "location @back { proxy_set_header Host $host; proxy_pass http://app.demo.svc.cluster.local; }",
      location: "more_clear_input_headers X-Role; limit_except GET { deny all; } error_page 403 @back;",
      requests: [{ target: "/", method: "POST", headers: [["X-Role", "a"]] }],
    },
  },
  {
    is: ({ server = "", location = "" }) =>
      /^location/m.test(server) &&
      /rewrite "[^"]*" "[^"]*(\/a\/|\/l\d|\/deep|\$)[^"]*"( last)?;/.test(location),
    example: {
      name: "a location that a path's steps lead to asks for the path's backend",
      server: "location /a/ { proxy_pass http://app.demo.svc.cluster.local; }",
      location: "rewrite ^/b$ /a/b;",
      requests: [get("/b")],
    },
  },
  {
    is: (it) => says(/location @[^}]*proxy_pass/)(it) && !says(/location @[^}]*proxy_set_header Host/)(it),
    example: {
      name: "a named location's backend is asked for the path's backend",
      server: "location @back { proxy_pass http://app.demo.svc.cluster.local; }",
      location: "error_page 418 @back; return 418;",
      requests: [get("/")],
    },
  },
  {
    is: says(/more_\w+_input_headers[^;]*X-Forwarded/),
    example: {
      name: "what headers-more says of X-Forwarded-For is the client's",
      location: 'more_set_input_headers "X-Forwarded-For: 192.0.2.9";',
      requests: [get("/", { "X-Forwarded-For": "192.0.2.1" })],
    },
  },
  {
    is: says(/more_set_headers.* -t .*" "/),
    example: {
      name: "headers-more asks for the type once for all headers of a directive",
      location: 'more_set_headers -t text/plain "Content-Type: text/x" "X-New: 1";',
      requests: [answered(200, ["Content-Type", "text/plain"])],
    },
  },
  {
    is: (it) => it.name === "input headers come after the rewrite directives" || asksForWhatItChanges(it),
    example: {
      name: "a variable is what it was when it was first read",
      location:
        'more_set_input_headers "X-Role: b"; if ($http_x_role = c) { return 403; } proxy_set_header X-Was $http_x_role;',
      requests: [get("/", { "X-Role": "a" })],
    },
  },
  {
    is: says(/more_set_input_headers -r .*"Cookie/i),
    example: {
      name: "headers-more ends a worker that has no Cookie to replace",
      location: 'more_set_input_headers -r "Cookie: a=1"; add_header X-C "$cookie_a";',
      requests: [get("/")],
    },
  },
  {
    is: ({ name }) => name === "headers-more reads what comes before",
    example: {
      name: "a header of the answer is what it was when it was first read",
      location:
        'more_set_headers "X-A: 1"; more_set_headers "X-B: $sent_http_x_a" "X-A: 2"; add_header X-C $sent_http_x_a;',
      requests: [get("/")],
    },
  },
]

export const isCompared = (it: SnippetCase): boolean => !known.some(({ is }) => is(it))
