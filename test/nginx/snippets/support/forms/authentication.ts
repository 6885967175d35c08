// What snippets do with the answer of an authentication service, and with passwords.
import { authPath, type BackendAnswer, type CaseRequest, type SnippetCase } from "../case.ts"
import { get } from "./ask.ts"

const annotations = { "auth-url": `http://app.demo.svc.cluster.local${authPath}` }

const asked = (auth: BackendAnswer, request = get("/a?b=c")): CaseRequest => ({ ...request, auth })

const said: BackendAnswer = {
  headers: [
    ["X-Auth-User", "jane"],
    ["X-Auth-Groups", "a,b"],
    ["X-Token", "t0k"],
    ["Set-Cookie", "session=1"],
  ],
}

export const authentication: readonly SnippetCase[] = [
  {
    name: "external authentication alone",
    annotations: { ...annotations, "auth-response-headers": "X-Auth-User,X-Auth-Groups" },
    requests: [
      asked(said),
      asked({ status: 401 }),
      asked({ status: 403 }),
      asked({ status: 204 }),
      asked({ status: 500 }),
    ],
  },
  {
    name: "headers of the authentication service go to the backend",
    annotations,
    location: `
auth_request_set $user $upstream_http_x_auth_user;
auth_request_set $token $upstream_http_x_token;
proxy_set_header X-User $user;
proxy_set_header Authorization "Bearer $token";`,
    requests: [
      asked(said),
      asked({}),
      asked({ status: 401 }),
      asked(said, get("/", { Authorization: "Basic x" })),
    ],
  },
  {
    name: "headers of the authentication service go to the client",
    annotations,
    location: `
auth_request_set $groups "groups: $upstream_http_x_auth_groups";
add_header X-Groups $groups;
more_set_headers "X-Status: $upstream_status";`,
    requests: [asked(said), asked({}), asked({ status: 403 })],
  },
  {
    name: "answers before authentication",
    annotations,
    location: `if ($arg_open) { return 200 "open"; }`,
    requests: [asked({ status: 401 }), asked({ status: 401 }, get("/?open=1")), asked(said)],
  },
  {
    name: "locations of the host have none",
    annotations,
    server: `
location = /open { return 200 "open"; }
location /free/ { proxy_pass http://app.demo.svc.cluster.local; }`,
    requests: ["/open", "/free/x", "/other"].map((target) => asked({ status: 401 }, get(target))),
  },
]
