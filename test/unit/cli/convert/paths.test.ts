import fc from "fast-check"
import { expect, test } from "vitest"
import { convertPath } from "../../../../cli/convert/paths.ts"
import { redirectTo } from "../../../../cli/convert/redirects.ts"

/** As the definitions of the Gateway API have it. */
const allowed = /^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$/

test("whatever the path, it is one that the Gateway API has, or is said to be none", () => {
  const piece = fc.oneof(
    fc.constantFrom("/", ".", "..", "//", "%2f", "%", "#", "(.*)", "(/|$)", "$", "ä"),
    fc.string(),
  )
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("")}`)
  const pathType = fc.constantFrom("Exact", "Prefix", "ImplementationSpecific")
  const target = fc.constantFrom("", "/$2", "/x", "/v2/$1", "x$1y")
  fc.assert(
    fc.property(path, pathType, fc.boolean(), target, (text, type, isPattern, to) => {
      const found = convertPath({ path: text, pathType: type }, isPattern, to)
      if ("because" in found) {
        expect(found.because).toMatch(/^[A-Z].*[^.]$/s)
        return
      }
      const { match } = found
      expect(match.value.length).toBeLessThanOrEqual(1024)
      if (match.type === "RegularExpression") return
      expect(match.value).toMatch(/^\//)
      expect(match.value).toMatch(allowed)
      expect(match.value).not.toMatch(/\/\/|\/\.\.?(?:\/|$)|%2f|#/i)
    }),
  )
})

test("whatever the URL, it is a filter, or is said to be none", () => {
  const url = fc.oneof(
    fc.string(),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.webPath(),
  )
  fc.assert(
    fc.property(url, fc.integer({ min: 290, max: 320 }), (text, code) => {
      const found = redirectTo(text, code)
      if ("because" in found) {
        expect(found.because).toMatch(/^[A-Z].*[^.]$/)
        return
      }
      const { requestRedirect } = found.filter as { requestRedirect: Record<string, never> }
      expect([301, 302, 303, 307, 308]).toContain(requestRedirect.statusCode)
      expect(String(requestRedirect.hostname ?? "a.test")).toMatch(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/)
    }),
  )
})
