import { describe, expect, test } from "vitest"
import { liesIn } from "../../../../../controller/core/ingress/read/exempt.ts"

const acme = "/.well-known/acme-challenge"
const list = [acme, "/health"]

describe("a path lies in a location", () => {
  test.each([
    acme,
    `${acme}/token`,
    "/health",
    "/healthz",
    "/health/(.*)",
    "/health(/|$)(.*)",
    "/health(?:/|$)x",
    "/health/[a-z]+",
    "/health/(a\\|b|c)",
  ])("%s", (path) => {
    expect(liesIn(list, path)).toBe(true)
  })
})

describe("one that only contains it does not", () => {
  test.each([
    "/",
    "/admin",
    "/admin/health",
    "/health|/admin",
    "/health(a)|/admin",
    "/health/(.*)|/",
    "/health?",
    "/health*x",
    "/health+",
    "/health{0}/admin",
    `${acme}|/.*`,
    "/health[)]|/admin",
    "/health[|]x",
    "/health\\Q(\\E|/admin",
    "/health(?i)|/admin",
    "/health(?|a|b)",
    "/health(*ACCEPT)|x",
    "/health)|/admin",
    "(/health|/admin)",
    "^/health",
  ])("%s", (path) => {
    expect(liesIn(list, path)).toBe(false)
  })
})
