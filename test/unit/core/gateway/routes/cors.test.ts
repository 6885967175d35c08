import { expect, test } from "vitest"
import { corsOf } from "../../../../../controller/core/gateway/routes/cors.ts"

const said = {
  origins: ["*"],
  methods: [],
  headers: [],
  exposedHeaders: [],
  maxAgeSeconds: 5,
  allowsCredentials: false,
}

function cors(more: Partial<typeof said> | Readonly<Record<string, readonly string[] | boolean>>) {
  return corsOf([{ type: "CORS", cors: { ...said, ...more } }])
}

test("without a filter nothing is said", () => {
  expect(corsOf([])).toBeUndefined()
})

test("what is allowed is a list, or everything where that is among it; of nothing there is no header", () => {
  const usual = { origins: ["*"], maxAgeSeconds: 5, allowsCredentials: false, isGateway: true }
  expect(cors({})).toEqual(usual)
  expect(cors({ methods: ["GET", "PUT"], headers: ["A", "*"], exposedHeaders: ["B", "*"] })).toEqual({
    ...usual,
    ...{ methods: "GET, PUT", headers: "*", exposedHeaders: "B, *" },
  })
})

test("with credentials not every header is exposed", () => {
  expect(cors({ exposedHeaders: ["*"], allowsCredentials: true })).not.toHaveProperty("exposedHeaders")
})

test("origins are as browsers send them", () => {
  const origins = ["HTTPS://A.test:443", "http://a.test:80", "http://a.test:443", "https://*.a.test:8443"]
  expect(cors({ origins })?.origins).toEqual([
    ...["https://a.test", "http://a.test", "http://a.test:443", "https://*.a.test:8443"],
  ])
})
