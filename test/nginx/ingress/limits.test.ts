// limit_req and limit_conn in a location, with keys made of the route's variables.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { startIngress } from "../../../harness/ingress/ingress.ts"
import { until } from "../../../harness/until.ts"

test("limit_req counts per route", async () => {
  await using ingress = await startIngress({
    http: "limit_req_zone $ingress_name zone=requests:1m rate=1r/m;",
    locations: `location @limited { limit_req zone=requests burst=2 nodelay; limit_req_status 429; try_files /x =204; }`,
  })
  for (const name of ["a", "b"])
    await ingress.route(`${name}.test`, [{ location: "limited", ingress_name: name }])
  for (const name of ["a", "b"]) {
    const answers = []
    for (let n = 0; n < 5; n += 1) answers.push(await ingress.ask(`${name}.test`))
    expect(answers).toEqual(["204", "204", "204", "429", "429"])
  }
})

test("limit_conn counts per route", async () => {
  await using backends = await startBackends("slow")
  const [slow] = backends
  await slow?.fault("hang")
  await using ingress = await startIngress({
    http: "limit_conn_zone $ingress_name zone=connections:1m;",
    locations: `location @limited { limit_conn connections 2; limit_conn_status 429; proxy_pass http://127.0.0.1:${slow?.port}; }`,
  })
  for (const name of ["a", "b"])
    await ingress.route(`${name}.test`, [{ location: "limited", ingress_name: name }])
  const hanging = [ingress.ask("a.test"), ingress.ask("a.test")]
  for (const request of hanging) request.catch(() => {})
  await until("both requests to arrive", () => slow?.requests === 2)
  expect(await ingress.ask("a.test")).toBe("429")
  await slow?.fault(undefined)
  expect(await ingress.ask("b.test")).toBe("slow")
})
