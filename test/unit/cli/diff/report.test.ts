import { describe, expect, test } from "vitest"
import type { Result } from "../../../../cli/diff/asking/replay.ts"
import { causesIn, noCauses } from "../../../../cli/diff/report/causes.ts"
import { reportOf } from "../../../../cli/diff/report/grouped.ts"
import { diffText } from "../../../../cli/diff/report/print-text.ts"
import type { DiffRequest } from "../../../../cli/diff/requests/request.ts"
import { lint } from "../../../../cli/lint/lint.ts"
import { lintObjectsOf } from "../../../../cli/lint/objects.ts"
import { translated } from "../../../../cli/lint/translated.ts"
import { ingress, ingressClass, type Json, service, settings, slice } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf } from "../../../../harness/translation.ts"

function request(host: string, target = "/"): DiffRequest {
  return { scheme: "http", host, target, method: "GET", headers: {}, about: "a test" }
}

function result(of: DiffRequest, aspect: string, was: string, now: string, isRefused = false): Result {
  const outcome = { differences: [{ aspect, was, now }], unstable: [], isRefused }
  return { request: of, isHandshake: false, outcome }
}

const curl = ({ host }: DiffRequest) => `curl ${host}`

describe("a report", () => {
  const same = { differences: [], unstable: [], isRefused: false }
  const results: readonly Result[] = [
    { request: request("a.test"), isHandshake: false, outcome: same },
    { request: request("b.test"), isHandshake: false, outcome: { ...same, unstable: ["body"] } },
    {
      request: request("c.test"),
      isHandshake: false,
      outcome: { ...same, unanswered: "connection refused" },
    },
    result(request("a.test", "/x"), "header location", "https://a.test/x", "https://www.a.test/x"),
    result(request("b.test", "/y"), "header location", "https://b.test/y", "https://www.b.test/y"),
    result(request("c.test"), "header location", "https://c.test/", "/"),
    result(request("d.test"), "status", "200", "503", true),
  ]
  test("counts what neither answers, each time for another reason, once", () => {
    const outcome = { ...same, unstable: ["answer"], unanswered: "connection refused" }
    const { summary } = reportOf(
      [{ request: request("a.test"), isHandshake: false, outcome }],
      1,
      [],
      noCauses,
      curl,
    )
    expect(summary).toMatchObject({ asked: 1, same: 0, different: 0, unstable: 0, unanswered: 1 })
  })

  const report = reportOf(results, 10, [{ why: "there would be too many", count: 7 }], noCauses, curl)

  test("counts every question once", () => {
    expect(report.summary).toMatchObject({
      asked: 7,
      notAsked: 3,
      hosts: 4,
      same: 1,
      different: 4,
      refused: 1,
      unstable: 1,
      unanswered: 1,
      hostsThatDiffer: 4,
      whyUnanswered: { "connection refused": 1 },
    })
  })

  test("says once what looks alike at many hosts and paths, and first what is refused", () => {
    expect(report.groups.map(({ difference, count, example }) => [difference, count, example.curl])).toEqual([
      [{ aspect: "status", was: "200", now: "503" }, 1, "curl d.test"],
      [{ aspect: "header location", was: "https://HOSTPATH", now: "https://www.HOSTPATH" }, 2, "curl a.test"],
      [{ aspect: "header location", was: "https://HOST/", now: "/" }, 1, "curl c.test"],
    ])
  })

  test("begins with what somebody who decides has to know", () => {
    const lines = diffText(report).map(({ text }) => text)
    expect(lines.slice(0, 6)).toEqual([
      "1 of 7 requests to 4 hosts got the same answer from both.",
      "Interrupted: 3 more were not asked.",
      "4 got another answer, at 4 hosts; 1 of them is refused or not answered now.",
      "1 are unstable: one side does not answer the same twice.",
      "1 were answered by neither (connection refused: 1).",
      "Not asked: 7 as there would be too many.",
    ])
    expect(lines).toContain("  status: was 200, now 503")
    expect(lines).toContain("    see: curl d.test")
  })

  test("has no secrets of answers", () => {
    const secret = result(request("a.test"), "header location", "/?token=hidden", "/?code=hidden")
    const cookie = result(request("a.test"), "header x-session-token", "hidden", "absent")
    expect(JSON.stringify(reportOf([secret, cookie], 2, [], noCauses, curl))).not.toContain("hidden")
  })
})

describe("why", () => {
  function causesOf(...objects: readonly Json[]) {
    const options = optionsOf(["--manifests=diff", "--configmap=edge/settings"])
    const changes = [ingressClass, ...objects].flatMap((object) => changesOf(object, "diff"))
    const given = lintObjectsOf(changes, options, false)
    const nowMs = Date.UTC(2026, 2, 1)
    const report = lint(given, { options, badFlags: [], nowMs })
    const { hosts } = translated(given.objects, options, nowMs).translation.model.live
    return causesIn(report, { hosts, ingresses: given.objects.ingresses })
  }
  const annotations = {
    "limit-rps": "many",
    "enable-cors": "true",
    "cors-allow-origin": "https://b.test",
  }
  const causes = causesOf(
    ingress("shop/cart", ["cart.test/ → cart:80", "*.cart.test/ → cart:80"], annotations),
    ingress("shop/api", "cart.test/api ~→ api:80", { "server-snippet": "gzip on;" }),
    ingress("shop/none", "none.test/x//y → api:80"),
    service("shop/api"),
    slice("shop/api", ["224.0.0.1"], 8080),
    settings("edge/settings", { "whitelist-source-range": "nobody" }),
  )
  const rules = (of: DiffRequest, aspect: string) => causes.of(of, aspect).map(({ rule }) => rule)

  test("a request has to do with the Ingress whose route it takes", () => {
    expect(causes.ingresses(request("cart.test", "/x"))).toEqual(["shop/cart"])
    expect(causes.ingresses(request("cart.test", "/api/1?x=/"))).toEqual(["shop/api"])
    expect(causes.ingresses(request("any.cart.test", "/api"))).toEqual(["shop/cart"])
    expect(causes.ingresses(request("other.test"))).toEqual([])
  })

  test("or with the one that it was made for, or all of its host where there is no route", () => {
    const made = { ...request("cart.test"), ingress: { kind: "Ingress", namespace: "shop", name: "api" } }
    expect(causes.ingresses(made)).toEqual(["shop/api", "shop/cart"])
    expect(causes.ingresses(request("none.test", "/z"))).toEqual(["shop/none"])
  })

  test("what is known of that Ingress, as far as it may show there", () => {
    expect(rules(request("cart.test"), "status")).toContain("limit-refused")
    expect(rules(request("cart.test"), "header vary")).toContain("cors-allow-origin-vary")
    expect(rules(request("cart.test"), "header vary")).not.toContain("limit-refused")
    expect(rules(request("cart.test"), "certificate")).toEqual([])
    expect(rules(request("cart.test", "/api"), "status")).toContain("snippets-without-permission")
  })

  test("what is known of endpoints shows where it shows who serves", () => {
    expect(rules(request("cart.test", "/api"), "status")).toContain("endpoint-address-refused")
    expect(rules(request("cart.test", "/api"), "header vary")).not.toContain("endpoint-address-refused")
  })

  test("what concerns everybody, and nothing more for hosts of nobody", () => {
    expect(rules(request("other.test"), "status")).toEqual(["configmap-source-range-refused"])
  })
})
