/** The rings with which the balancer is compared, compared with nginx's own. */
import { expect, test } from "vitest"
import { startNginx } from "../../harness/nginx.ts"
import { nginxRing } from "../support/reference-ring.ts"

const PORTS = 9
const weightOf = (place: number) => 1 + (place % 3)

test("a stock nginx hashes keys as the reference ring says", async () => {
  await using nginx = await startNginx(
    ({ ports: [port, ...others] }) => ({
      http: `
        upstream hashed {
          hash $arg_key consistent;
          ${others.map((other, i) => `server 127.0.0.1:${other} weight=${weightOf(i)};`).join("\n")}
        }
        ${others.map((other) => `server { listen 127.0.0.1:${other}; return 200 $server_port; }`).join("\n")}
        server { listen 127.0.0.1:${port}; location / { proxy_pass http://hashed; } }`,
    }),
    { ports: PORTS + 1 },
  )
  const names = nginx.site.ports.slice(1).map((port) => `127.0.0.1:${port}`)
  const ring = nginxRing(
    names,
    names.map((_, i) => weightOf(i)),
  )
  const keys = Array.from({ length: 500 }, (_, i) => `key-${i}`)
  const served: string[] = []
  for (const key of keys) served.push(`127.0.0.1:${(await nginx.get(`/?key=${key}`)).body}`)
  expect(served).toEqual(keys.map((key) => names[ring.find(key)]))
  expect(new Set(served).size).toBe(PORTS)
})
