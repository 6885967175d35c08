import { expect, test } from "vitest"
import { programOf } from "../../../controller/inspect/program.ts"
import type { StepsRun } from "../../../controller/inspect/steps-run.ts"
import { routeFields } from "../../../controller/output/control/wire-route.ts"
import { ingress, ingressClass, service } from "../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"

/** Of what is posted for a path with this snippet. */
function programText(text: string, run?: StepsRun): readonly string[] {
  const says = { "configuration-snippet": text }
  const objects = [ingressClass, service("shop/app"), ingress("shop/app", "app.test/ → app:80", says)]
  const changes = objects.flatMap((object) => changesOf(object, "objects.yaml:1"))
  const { hosts } = translationOf(changes, optionsOf([])).model.live
  const [route] = hosts.find(({ host }) => host === "app.test")?.routes ?? []
  return route === undefined ? [] : programOf(routeFields(route).script ?? {}, run)
}

test("a program is shown as somebody would write it, with what each if has inside", () => {
  const text = `
    more_set_headers "X-A: b"; proxy_set_header X-B c;
    set $x "a b";
    if ($http_x ~* "^a b") { set $y 1; add_header X-C d; return 403; }
    rewrite ^/a /b? last;
    return 301 https://x.test;`
  expect(programText(text)).toEqual([
    "response headers: set X-A",
    "headers to the backend: X-B",
    'set $x "a b"',
    'if $http_x ~* "^a b"',
    "  response headers: set X-A, add X-C",
    "  headers to the backend: X-B",
    "  set $y 1",
    "  return 403",
    "rewrite ^/a /b last",
    "return 301 https://x.test",
  ])
})

test("limits are called by their zones", () => {
  const level = {
    request_limits: [{ zone: "of-client", burst: 5 }, { zone: "of-all" }],
    connection_limits: [{ zone: "at-a-time", connections: 1 }],
  }
  expect(programOf({ levels: [level] }, undefined)).toEqual(["limits: of-client, of-all, at-a-time"])
})

test("what says nothing has no lines", () => {
  expect(programText("client_max_body_size 5m;")).toEqual([])
})

test("conditions that hold are marked, also inside of others, and it says where the steps lead", () => {
  const text =
    "set $a 1; if ($http_x) { set $b 1; rewrite ^ /c; } if ($http_y) { return 403; } if ($a) { set $c 1; }"
  expect(programText(text, { held: [1, 6], end: { kind: "moved", target: "/c" } })).toEqual([
    "set $a 1",
    "if $http_x — holds",
    "  set $b 1",
    "  rewrite ^ /c",
    "if $http_y",
    "  return 403",
    "if $a — holds",
    "  set $c 1",
    "the path is /c then",
  ])
})
