// HTTP/2 requests take the same way; several at once on one connection take different routes.
import { connect } from "node:http2"
import { expect, test } from "vitest"
import { answering, startIngress } from "../../../harness/ingress/ingress.ts"

test("streams of one connection find their own routes", async () => {
  await using ingress = await startIngress({
    listen: "http2",
    locations: `${answering("plain", "$proxy_upstream_name")} location @small { client_max_body_size 10; return 200 "small"; }`,
  })
  for (let n = 0; n < 20; n += 1) await ingress.route(`h${n}.test`, [{ backend: `b${n}` }])
  await ingress.route("small.test", [{ location: "small" }])

  const session = connect(`http://127.0.0.1:${ingress.port}`)
  const ask = (authority: string, body?: string) =>
    new Promise<string>((resolve, reject) => {
      const stream = session.request({
        ":authority": authority,
        ":method": body === undefined ? "GET" : "POST",
      })
      let status = 0
      let text = ""
      stream.on("response", (headers) => {
        status = Number(headers[":status"])
      })
      stream.setEncoding("utf8")
      stream.on("data", (chunk: string) => {
        text += chunk
      })
      stream.on("end", () => resolve(status === 200 ? text : String(status)))
      stream.on("error", reject)
      stream.end(body)
    })
  try {
    const hosts = Array.from({ length: 20 }, (_, n) => n)
    const answers = await Promise.all(hosts.map((n) => ask(`H${n}.test:80`)))
    expect(answers).toEqual(hosts.map((n) => `b${n}`))
    expect(await ask("nobody.test")).toBe("404")
    expect(await ask("small.test", "x".repeat(5))).toBe("small")
  } finally {
    session.destroy()
  }
})
