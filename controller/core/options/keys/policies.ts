import { createPublicKey } from "node:crypto"
import type { AllowedPolicy } from "../../../model/allowed-policy.ts"
import { shown } from "../../../model/shown.ts"
import { policyName } from "../algorithm.ts"
import { family, type KeySyntax, key } from "../key.ts"
import { accepted, integer, type Parsed, type Parser, qualified, refused } from "../parser.ts"
import { none, values } from "../usage.ts"
import { headerNames } from "./texts.ts"

const max = 256

/** `NAME [sha256:HEX]… [namespaces=a,b]`, one in each line; `#` begins a comment. */
const allowedPolicies: Parser<readonly AllowedPolicy[]> = (text) => {
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim())
  const all: AllowedPolicy[] = []
  for (const line of lines.filter((line) => line !== "")) {
    const parsed = allowedPolicy(line)
    if (parsed.kind === "refused") return refused(`for ${shown(line)} ${parsed.reason}`)
    if (all.some(({ name }) => name === parsed.value.name))
      return refused(`${parsed.value.name} is there twice`)
    all.push(parsed.value)
  }
  return all.length <= max ? accepted(all) : refused(`write at most ${max} policies`)
}

function allowedPolicy(line: string): Parsed<AllowedPolicy> {
  const [written = "", ...conditions] = line.split(/\s+/)
  const name = policyName(written)
  if (name.kind === "refused") return name
  const digests: string[] = []
  const namespaces: string[] = []
  for (const condition of conditions) {
    const [, digest] = /^sha256:([0-9a-f]{64})$/i.exec(condition) ?? []
    const [, names] = /^namespaces=([a-z0-9,-]+)$/.exec(condition) ?? []
    if (digest !== undefined) digests.push(digest.toLowerCase())
    else if (names !== undefined) namespaces.push(...names.split(",").filter(Boolean))
    else
      return refused("write NAME, sha256: with 64 hex digits, and namespaces= with names separated by commas")
  }
  return accepted({
    name: name.value,
    ...(digests.length > 0 && { digests }),
    ...(conditions.some((condition) => condition.startsWith("namespaces=")) && { namespaces }),
  })
}

interface Named {
  readonly namespace: string
  readonly name: string
}

/** A ConfigMap, which is read with each change of it. */
const policiesConfigMap: KeySyntax<Named | undefined> = {
  values: values.configMap,
  parse: (text, objects) => {
    const parsed = qualified(text)
    if (parsed.kind === "refused" || parsed.value === undefined) return parsed
    const isThere = objects.configMap(text) !== undefined
    return isThere ? parsed : { ...parsed, remark: `there is no ConfigMap ${shown(text)}` }
  },
}

/** As `cosign generate-key-pair` writes it. The key comes out in the one form that all spellings of it have; null is one that cannot be read. */
const publicKey: Parser<string | undefined | null> = (text) => {
  if (text.trim() === "") return accepted(undefined)
  try {
    const key = createPublicKey(text)
    const isP256 = key.asymmetricKeyDetails?.namedCurve === "prime256v1"
    if (isP256 && !text.includes("PRIVATE KEY"))
      return accepted(key.export({ type: "spki", format: "pem" }).toString())
  } catch {
    // what OpenSSL says of it helps nobody
  }
  return refused("write a public key of ECDSA P-256 in PEM, as in cosign.pub")
}

/** Case means nothing in them: one spelling, so that another one is no reload. */
const readableHeaders: KeySyntax<readonly string[]> = {
  values: headerNames.values,
  parse: (text) => {
    const parsed = headerNames.parse(text)
    if (parsed.kind === "refused") return parsed
    return { ...parsed, value: [...new Set(parsed.value.map((name) => name.toLowerCase()))].sort() }
  },
}

/** Balancing policies of somebody else (docs/policies.md): who may use which. */
export const policies = family("Backends", {
  allowedPolicies: key(
    "policies",
    { parse: allowedPolicies, values: "`NAME [sha256:HEX] [namespaces=A,B]`, one in each line" },
    "",
    {
      shownDefault: none,
      example: "my-policy namespaces=shop,cart",
      description:
        "balancing policies that `load-balance: wasm/NAME` may name; with a digest only those bytes, with namespaces only Ingresses of these",
    },
  ),
  policiesConfigMap: key("policies-configmap", policiesConfigMap, "", {
    shownDefault: none,
    example: "shop/headers",
    description: "its `binaryData` has balancing policies under `NAME.wasm`, beside those of `--policies`",
  }),
  policiesPublicKey: key("policies-public-key", { parse: publicKey, values: "a public key in PEM" }, "", {
    shownDefault: none,
    example:
      "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----",
    shownExample: "the content of `cosign.pub`",
    description:
      "every policy needs a signature by this key beside it, `NAME.wasm.sig` as `cosign sign-blob` makes it",
    whenRefused: { value: null, state: "cannot be used, so no policy is" },
  }),
  policyReadableHeaders: key("policy-readable-headers", readableHeaders, "", {
    shownDefault: none,
    example: "x-tenant",
    description:
      "headers of requests and responses that policies may read, beside path, method and host. Name `cookie` and `authorization` only for those whom you trust with sessions",
  }),
  policyMaxFaults: key("policy-max-faults", { parse: integer(1, 1_000_000), values: values.count }, "5", {
    example: "20",
    description: "after so many faults of a policy in a minute the last good version of it takes its place",
  }),
})
