import { expect, test } from "vitest"
import { hashFault } from "../../../../../controller/core/ingress/read/password-hash.ts"
import { hashes, slowHash } from "../../../../../harness/passwords.ts"

test.each(Object.entries(hashes))("%s is a scheme that is known", (_, hash) => {
  expect(hashFault(hash, 13)).toBeUndefined()
})

test("bcrypt of any letter, and argon2id, are known", () => {
  for (const letter of "abxy") expect(hashFault(slowHash.replace("$2y$", `$2${letter}$`), 13)).toBeUndefined()
  expect(hashFault("$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", 13)).toBeUndefined()
  expect(hashFault("$y$j9T$saltsaltsaltsalt$5z4hixMqZu85Q.FImGPyeqhaItXFcGCWgGmHtxl/3c9", 13)).toBeUndefined()
})

test.each([
  "",
  "sesame",
  "$2y$12$short",
  "$2z$12$abcdefghijklmnopqrstuuJkleeYqGi6JJcNM.d95WxQIKjR4lCny",
  "{MD5}abc",
  "{SHA}",
  "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAA",
  "$argon2id$m=64,t=1,p=1$c29tZXNhbHQ$AAAA",
  "$scram$x",
])("%s is of no known form", (hash) => {
  expect(hashFault(hash, 13)).toBe("has no hash of a known form")
})

test.each([
  "$6$rounds=1000001$saltsalt$5Oji4y.RQw4TBqlwXcGLBsxSL7.Pw5hdIpFnzMJTl.OaKsU3EiPTP5NseI3oKDT8iioErVqshwXGd40hlWBLx1",
  "$y$jFT$saltsaltsaltsalt$5z4hixMqZu85Q.FImGPyeqhaItXFcGCWgGmHtxl/3c9",
  "$y$j9T1$saltsaltsaltsalt$5z4hixMqZu85Q.FImGPyeqhaItXFcGCWgGmHtxl/3c9",
  hashes.scrypt.replace("$7$4U", "$7$HU"),
  hashes.bsdi.replace("..salt", "zzsalt"),
  "$argon2id$v=19$m=65537,t=1,p=1$c29tZXNhbHQ$AAAA",
  "$argon2id$v=19$m=64,t=11,p=1$c29tZXNhbHQ$AAAA",
  "$argon2id$v=19$m=64,t=1,p=5$c29tZXNhbHQ$AAAA",
])("%s would keep others waiting", (hash) => {
  expect(hashFault(hash, 13)).toBe("has a hash that costs too much to verify")
})

test("bcrypt may cost what the ConfigMap allows", () => {
  const fault = (cost: number, max: number) => hashFault(slowHash.replace("$12$", `$${cost}$`), max)
  expect(fault(13, 13)).toBeUndefined()
  expect(fault(14, 13)).toBe(
    'has a hash of bcrypt with cost 14, more than the 13 of ConfigMap key "max-bcrypt-cost"',
  )
  expect(fault(14, 15)).toBeUndefined()
})

test("a hash fits into its record", () => {
  const fault = "has a hash of more than 512 bytes, or with control characters"
  expect(hashFault(`{PLAIN}${"a".repeat(505)}`, 13)).toBeUndefined()
  expect(hashFault(`{PLAIN}${"a".repeat(506)}`, 13)).toBe(fault)
  expect(hashFault("{PLAIN}a\tb", 13)).toBe(fault)
})
