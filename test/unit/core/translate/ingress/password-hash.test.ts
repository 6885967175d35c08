import { expect, test } from "vitest"
import { hashFault } from "../../../../../controller/core/translate/ingress/password-hash.ts"
import { hashes, slowHash } from "../../../../support/passwords.ts"

test.each(Object.entries(hashes))("%s is a scheme that is known", (_, hash) => {
  expect(hashFault(hash)).toBeUndefined()
})

test("bcrypt of any letter, and argon2id, are known", () => {
  for (const letter of "abxy") expect(hashFault(slowHash.replace("$2y$", `$2${letter}$`))).toBeUndefined()
  expect(hashFault("$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA")).toBeUndefined()
  expect(hashFault("$y$j9T$saltsaltsaltsalt$5z4hixMqZu85Q.FImGPyeqhaItXFcGCWgGmHtxl/3c9")).toBeUndefined()
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
  expect(hashFault(hash)).toBe("has no hash of a known form")
})

test.each([
  slowHash.replace("$12$", "$16$"),
  "$6$rounds=1000001$saltsalt$5Oji4y.RQw4TBqlwXcGLBsxSL7.Pw5hdIpFnzMJTl.OaKsU3EiPTP5NseI3oKDT8iioErVqshwXGd40hlWBLx1",
  "$y$jFT$saltsaltsaltsalt$5z4hixMqZu85Q.FImGPyeqhaItXFcGCWgGmHtxl/3c9",
  "$y$j9T1$saltsaltsaltsalt$5z4hixMqZu85Q.FImGPyeqhaItXFcGCWgGmHtxl/3c9",
  hashes.scrypt.replace("$7$4U", "$7$HU"),
  hashes.bsdi.replace("..salt", "zzsalt"),
  "$argon2id$v=19$m=65537,t=1,p=1$c29tZXNhbHQ$AAAA",
  "$argon2id$v=19$m=64,t=11,p=1$c29tZXNhbHQ$AAAA",
  "$argon2id$v=19$m=64,t=1,p=5$c29tZXNhbHQ$AAAA",
])("%s would keep others waiting", (hash) => {
  expect(hashFault(hash)).toBe("has a hash that costs too much to verify")
})

test("a hash fits into its record", () => {
  const fault = "has a hash of more than 512 bytes, or with control characters"
  expect(hashFault(`{PLAIN}${"a".repeat(505)}`)).toBeUndefined()
  expect(hashFault(`{PLAIN}${"a".repeat(506)}`)).toBe(fault)
  expect(hashFault("{PLAIN}a\tb")).toBe(fault)
})
