// What backends get by a level (docs/wire.md, LEVEL) beside nginx with the same directives as text.
import { once } from "node:events"
import { connect, createServer as createHttp2, type Http2Server } from "node:http2"
import { type AddressInfo, createServer, type Server } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { levelOf, passHeader, type Setting } from "../../../harness/ingress/levels.ts"
import { scriptOf } from "../../../harness/ingress/script-records.ts"
import { FastCgiServer } from "../../support/fastcgi.ts"
import { type Asked, BesideText, type Case } from "./support/beside-text.ts"
import { type Echo, startEcho } from "./support/echo.ts"

/** As locations of ingress-nginx, and ours, say them by themselves. */
const headers = `proxy_set_header Host $host; proxy_set_header Connection ""; proxy_set_header X-Own own; proxy_set_header X-Real-IP $remote_addr;`
const own = `proxy_http_version 1.1; ${headers}`
const plain = `${own} proxy_pass http://echo;`

const settings = [
  passHeader("X-A", "1"),
  passHeader("X-Mixed", "$host/$http_x_client-$arg_a"),
  passHeader("X-Empty", ""),
  passHeader("X-Nothing", "$http_nobody"),
]
/** Some of them are those of clients or locations. */
const taken = [
  passHeader("x-client", "$http_x_client, ours"),
  passHeader("X-OWN", "ours"),
  passHeader("Host", "other.test"),
  passHeader("X-Gone", ""),
  passHeader("Cookie", "a=$cookie_a"),
]

/** None of them hangs on the request. */
const constant = [
  passHeader("X-A", "1"),
  passHeader("x-client", "ours, always"),
  passHeader("X-Gone", ""),
  passHeader("X-OWN", "ours"),
  passHeader("X-A", "2"),
  passHeader("X-Last", "last"),
]

/** Name → location and settings. */
const cases = {
  "the same for every request": { location: plain, settings: constant },
  "the same for every request, the last ones empty": {
    location: plain,
    settings: [...constant, passHeader("X-Empty", ""), passHeader("Cookie", "")],
  },
  "the same for every request, nothing but empty": {
    location: plain,
    settings: [passHeader("X-Client", ""), passHeader("X-Empty", "")],
  },
  "one header": { location: plain, settings: [passHeader("X-Client", "ours")] },
  "the same for every request, and the location asks for the client's": {
    location: `${own} proxy_set_header X-Theirs "$http_x_other $http_x_last"; proxy_pass http://echo;`,
    settings: [passHeader("X-Other", "ours"), passHeader("X-Another", "ours")],
  },
  "the same for every request, to another server": {
    location: `${own} proxy_pass http://tries;`,
    settings: constant,
  },
  "the same for every request, and the target has a variable": {
    location: `${own} set $to echo; proxy_pass http://$to;`,
    settings: constant,
  },
  "new headers": { location: plain, settings },
  "headers of clients and of the location": { location: plain, settings: taken },
  "HTTP/1.0": { location: `${headers} proxy_pass http://echo;`, settings: [...settings, ...taken] },
  "the body is passed on as it comes": { location: `${plain} proxy_request_buffering off;`, settings: taken },
  "the body is kept in a file": { location: `${plain} client_body_in_file_only clean;`, settings: taken },
  "the body is not passed on": { location: `${plain} proxy_pass_request_body off;`, settings: taken },
  "another server is asked": {
    location: `${own} proxy_pass http://tries;`,
    settings: [...settings, ...taken],
  },
  "the target has a variable": { location: `${own} set $to echo; proxy_pass http://$to;`, settings: taken },
  "nobody is there": {
    location: `${own} error_page 502 =200 @seen; proxy_pass http://127.0.0.1:1;`,
    settings: taken,
  },
} satisfies Record<string, Case>

const requests: Readonly<Record<string, Asked>> = {
  "without headers": {},
  "with headers": {
    headers: [
      "X-Client: theirs",
      "X-Own: theirs",
      "X-Gone: theirs",
      "X-Client: again",
      "Cookie: a=1; b=2",
      "X-Last: 1",
    ],
  },
  "of HTTP/1.0": { version: "1.0", headers: ["X-Client: theirs"] },
  "with a body": { method: "POST", headers: ["X-Client: theirs", "Content-Length: 4"], body: "body" },
  "with a large body": {
    method: "PUT",
    headers: ["X-Client: theirs", "Content-Length: 300000"],
    body: "x".repeat(300_000),
  },
  "with pieces": {
    method: "POST",
    headers: ["X-Client: theirs", "Transfer-Encoding: chunked"],
    body: "4\r\nbody\r\n0\r\n\r\n",
  },
}

let echo: Echo
let closing: Server
let beside: BesideText
beforeAll(async () => {
  echo = await startEcho()
  // It takes requests, and leaves.
  closing = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.destroy()))
  await once(closing.listen(0, "127.0.0.1"), "listening")
  const tries = `server 127.0.0.1:${(closing.address() as AddressInfo).port} max_fails=0; server 127.0.0.1:${echo.port} backup;`
  beside = await BesideText.start({
    http: `upstream echo { server 127.0.0.1:${echo.port}; } upstream tries { ${tries} }`,
    server: "location @seen { proxy_set_header X-Seen $http_x_client; proxy_pass http://echo; }",
    cases: Object.values(cases),
  })
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
  closing.close()
})

for (const [at, name] of Object.keys(cases).entries())
  test.each(Object.entries(requests))(`${name}: a request %s`, async (_, asked) => {
    const [ours, nginxs] = (await beside.ask(at, "/x?a=b", asked)).map(headOf)
    expect(ours).toEqual(nginxs)
    expect(ours?.length).toBeGreaterThan(name === "nobody is there" ? 0 : 2)
  })

/** What the backend was asked, as its answer says, sorted; or the answer's own lines. */
function headOf(answer: readonly string[]): readonly string[] {
  const lines = answer.at(-1)?.split("\r\n") ?? []
  // How long the pieces of the answer are depends on how it came.
  const head = lines.filter((line) => !/^[0-9a-f]{1,4}$/.test(line))
  // Of one name the order of lines is kept by sorting names alone.
  const name = (line: string) => line.split(":")[0]?.toLowerCase() ?? ""
  return [answer[0] ?? "", ...head.sort((a, b) => name(a).localeCompare(name(b)))]
}

test("what is passed on is nobody else's: headers of the response, logs and error pages see those of the client", async () => {
  const location = `${own} add_header X-Seen $http_x_client; proxy_pass http://echo;`
  await using seen = await BesideText.start({
    http: `upstream echo { server 127.0.0.1:${echo.port}; }`,
    cases: [{ location, settings: taken }],
  })
  for (const asked of Object.values(requests)) {
    const [ours, nginxs] = (await seen.ask(0, "/", asked)).map((lines) =>
      lines.filter((line) => line.startsWith("x-seen")),
    )
    expect(ours).toEqual(nginxs)
  }
})

test("a value that would end its line is not sent, and what frames a request is nginx's", async () => {
  const names = ["Content-Length", "Transfer-Encoding", "CDN-Loop"]
  const script = scriptOf(
    [],
    [levelOf([passHeader("X-A", "$uri"), ...names.map((name) => passHeader(name, "7"))])],
  )
  await beside.ingress.route("ends.test", [{ location: "case-0", script }])
  const { body } = await beside.ingress.nginx.get("/%0d%0aX-B:%201", { host: "ends.test" })
  expect(body).toMatch(/^GET /)
  expect(body).not.toMatch(/^(x-a|x-b):|: 7$/im)
})

/** The fields of requests by gRPC, as they came. */
async function grpcEcho(): Promise<Http2Server> {
  const server = createHttp2()
  server.on("stream", (stream, _headers, _flags, raw: string[]) => {
    const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []))
    stream.on("error", () => {}).resume()
    stream.respond({ ":status": 200, "content-type": "text/plain" })
    stream.end(pairs.sort().join("\n"))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return server
}

test("gRPC: fields in small letters, and none of a connection", async () => {
  const server = await grpcEcho()
  const grpc = (name: string, value: string): Setting => passHeader(name, value, "grpc_set_header")
  const long = "x".repeat(3000)
  const port = (server.address() as AddressInfo).port
  const location = "grpc_set_header X-Own own; grpc_pass grpc://grpc;"
  await using site = await BesideText.start({
    http: `upstream grpc { server 127.0.0.1:${port}; }`,
    listen: "http2",
    cases: [
      {
        location,
        settings: [
          grpc("X-A", "$arg_a"),
          grpc("X-Own", "ours"),
          grpc("x-client", "ours"),
          grpc("X-Long", long),
          grpc("X-Gone", ""),
        ],
      },
    ],
  })
  const constant = [grpc("X-A", "1"), grpc("X-Client", "ours"), grpc("X-C", "3")]
  await site.ingress.route("constant.test", [
    { location: "case-0", script: scriptOf([], [levelOf(constant)]) },
  ])
  const hopping = [grpc("Connection", "x"), grpc("TE", "x"), grpc("Upgrade", "x"), grpc("X-B", "1")]
  const script = scriptOf([], [levelOf(hopping)])
  await site.ingress.route("hops.test", [{ location: "case-0", script }])
  const ask = (port: number, authority: string, body: string) =>
    askHttp2(port, authority, "/case-0/x?a=1", body)
  for (const body of ["", "body", "x".repeat(200_000)]) {
    const [ours, nginxs] = await Promise.all(site.ports.map((port) => ask(port, "case-0.test", body)))
    expect(ours).toBe(nginxs)
    expect(ours).toContain("x-a: 1\n")
  }
  expect(await ask(site.ports[0], "constant.test", "")).toMatch(/x-a: 1\nx-c: 3\nx-client: ours\n/)
  const hops = await ask(site.ports[0], "hops.test", "")
  expect(hops).toContain("x-b: 1")
  expect(hops).not.toMatch(/: x$/m)
  server.close()
})

function askHttp2(port: number, authority: string, path: string, body: string): Promise<string> {
  const session = connect(`http://127.0.0.1:${port}`)
  return new Promise<string>((resolve, reject) => {
    const fields = {
      ":authority": authority,
      ":method": "POST",
      ":path": path,
      "x-client": "theirs",
      "x-gone": "1",
    }
    const stream = session.request(fields, { endStream: false })
    let text = ""
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece
    })
    stream.on("end", () => resolve(text)).on("error", reject)
    stream.end(body)
  }).finally(() => session.destroy())
}

test("FastCGI: further parameters, in the place of those of the client's headers", async () => {
  await using server = new FastCgiServer(({ params, body }) => {
    const lines = [...params].map(([name, value]) => `${name}=${value}`).sort()
    return `Content-Type: text/plain\r\n\r\n${lines.join("\n")}\n${body.length}`
  })
  await server.start()
  const param = (name: string, value: string): Setting => passHeader(name, value, "fastcgi_param")
  const location = "fastcgi_param REQUEST_METHOD $request_method; fastcgi_pass fcgi;"
  const large = [param("LONG", "x".repeat(3000)), param("SHORT", "1"), param("EMPTY", "")]
  const hides = [param("HTTP_X_CLIENT", "ours"), param("HTTP_X_GONE", ""), param("APP_ENV", "$arg_a")]
  await using site = await BesideText.start({
    http: `upstream fcgi { server 127.0.0.1:${server.port}; }`,
    cases: [
      { location, settings: large },
      { location, settings: hides },
      { location: `${location} fastcgi_request_buffering off;`, settings: [...large, ...hides] },
    ],
  })
  const headers = ["X-Client: theirs", "X-Gone: theirs", "X-Other: theirs"]
  for (const at of [0, 1, 2])
    for (const asked of [
      { headers },
      { method: "POST", headers: [...headers, "Content-Length: 100000"], body: "x".repeat(100_000) },
    ]) {
      const [ours, nginxs] = await site.ask(at, "/x?a=1", asked)
      expect(ours).toEqual(nginxs)
      expect(ours[0]).toBe("HTTP/1.1 200 OK")
    }
  expect(server.isConfused).toBe(false)
})
