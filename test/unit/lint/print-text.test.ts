import { expect, test } from "vitest"
import { lint } from "../../../controller/lint/lint.ts"
import { lintObjectsOf } from "../../../controller/lint/objects.ts"
import { reportText } from "../../../controller/lint/print-text.ts"
import { ingress, ingressClass, service, settings } from "../../support/manifests.ts"
import { changesOf, optionsOf } from "../../support/translation.ts"

function textOf(
  annotations: Readonly<Record<string, string>>,
  keys: Readonly<Record<string, string>> = {},
): string {
  const options = optionsOf(["--configmap=nginx/settings"])
  const objects = [
    ingressClass,
    ingress("shop/cart", "cart.test/ → cart:80", annotations),
    service("shop/cart"),
    settings("nginx/settings", keys),
  ]
  const changes = objects.flatMap((object) => changesOf(object, "objects.yaml:1"))
  const report = lint(lintObjectsOf(changes, options, true), { options, badFlags: [], nowMs: 0 })
  return reportText(report, false)
    .map(({ text }) => text)
    .join("\n")
}

test("each value stands there once, above all that is said of it", () => {
  const text = textOf({ "enable-cors": "true", "cors-allow-origin": "https://a.test" })
  expect(text).toContain(`
  shop/cart
    enable-cors: "true", cors-allow-origin: "https://a.test"
      Different: cors-allow-origin: where the comparison begins [cors-allow-origin-anchored]
        was: Anywhere: https://a.test also allows evil-https://a.test, and null allows https://xnull
        now: At the beginning: the whole Origin has to match
      Different: cors-allow-origin: caches [cors-allow-origin-vary]
`)
  expect(text.match(/"https:\/\/a\.test"/g)).toHaveLength(1)
})

test("of several values that one rule refuses each has its message, and those that close come first", () => {
  const text = textOf({
    "auth-url": "http://auth.test",
    "auth-cache-duration": "200 soon;",
    "auth-request-redirect": "x\u0001y",
    "whitelist-source-range": "",
  })
  expect(text).toContain('Cannot use "200 soon;" for annotation "auth-cache-duration"')
  expect(text).toContain('for annotation "auth-request-redirect"')
  const about = text.slice(text.indexOf("  shop/cart"))
  expect(about).toMatch(/^ {2}shop\/cart\n.*\n {6}Closed: requests are refused that may have been served \[/)
})

test("of a ConfigMap with several values that cannot be used each is said", () => {
  const text = textOf({}, { "proxy-body-size": "x", "proxy-read-timeout": "y" })
  expect(text).toContain('ConfigMap nginx/settings proxy-body-size: "x"')
  expect(text).toContain('ConfigMap nginx/settings proxy-read-timeout: "y"')
})
