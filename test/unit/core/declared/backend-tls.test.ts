import { expect, test } from "vitest"
import { declaredBackendTls } from "../../../../controller/core/declared/backend-tls.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"

const pair = {
  certificate: { id: "leaf", chain: ["leaf"], key: new SecretText("key") },
  ...{ names: [], notAfterMs: 0, keyType: "ec" },
}
const authority = { id: "judge", certificates: ["a"], crls: [] }

test("what it names goes with it", () => {
  expect(declaredBackendTls({ depth: 2 }, { pair, authority })).toEqual({
    said: { depth: 2, certificate: "leaf", authority: "judge" },
    ...{ certificate: pair.certificate, authority },
  })
  expect(declaredBackendTls({ sendsName: true }, {})).toEqual({ said: { sendsName: true } })
})

test("lists of revoked certificates are not looked at, whichever they are", () => {
  const without = (crls: readonly string[]) =>
    declaredBackendTls({}, { authority: { ...authority, id: `with ${crls}`, crls } }).authority
  expect(without(["one"])).toEqual(without(["other"]))
  expect(without(["one"])?.crls).toEqual([])
  expect(without(["one"])?.id).not.toBe(without([])?.id)
})
