// A connection that changes its protocol (WebSocket) through a location.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { expect, test } from "vitest"
import { startIngress } from "../../../harness/ingress/ingress.ts"

test("bytes flow both ways after the switch", async () => {
  const server = createServer()
  server.on("upgrade", (_request, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
    socket.on("data", (chunk: Buffer) => socket.write(`echo ${chunk}`))
    socket.on("end", () => socket.end())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  await using ingress = await startIngress({
    locations: `location @upgrade {
      proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection Upgrade;
      proxy_pass http://127.0.0.1:${(server.address() as AddressInfo).port};
    }`,
  })
  await ingress.route("a.test", [{ location: "upgrade", proxyReadTimeoutMs: 60_000 }])

  const socket = connect(ingress.port, "127.0.0.1")
  const said = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      let text = ""
      const listen = (chunk: Buffer) => {
        text += chunk
        if (!text.includes(wanted)) return
        socket.off("data", listen)
        resolve()
      }
      socket.on("data", listen).once("error", reject)
    })
  socket.write("GET /chat HTTP/1.1\r\nHost: a.test\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
  await said("101 Switching Protocols")
  for (const word of ["one", "two"]) {
    const answered = said(`echo ${word}`)
    socket.write(word)
    await answered
  }
  socket.destroy()
  server.closeAllConnections()
  server.close()
  expect(ingress.nginx.errorLog()).not.toContain("[alert]")
})
