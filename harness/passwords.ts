// Hashes of the password "sesame" in every scheme, as crypt(3) of Debian, openssl and the reference implementation of argon2 make them.

export const password = "sesame"

export const hashes = {
  plain: "{PLAIN}sesame",
  sha: "{SHA}CEo1Ae3vaEXy8eQZjsOiuBz1xrw=",
  ssha: "{SSHA}IdfzURG1vYyQ1FyGVPK2qgo4BTpzYWx0",
  apr1: "$apr1$saltsalt$1wcO0UXrrrYuRqru5simD1",
  bcrypt: "$2y$04$abcdefghijklmnopqrstuuinwY/tkBVrn3xrxQI/TgnMHhkvl85RW",
  md5crypt: "$1$saltsalt$J3RStOYaRn/5Iz9DGbAnx1",
  sha256crypt: "$5$saltsalt$Arv3XkXcPR5LHLrzVCBdKV5hwRocYIyFvUvGa9tbc06",
  sha512crypt:
    "$6$rounds=1000$saltsalt$5Oji4y.RQw4TBqlwXcGLBsxSL7.Pw5hdIpFnzMJTl.OaKsU3EiPTP5NseI3oKDT8iioErVqshwXGd40hlWBLx1",
  yescrypt: "$y$j75$saltsaltsalt$5z4hixMqZu85Q.FImGPyeqhaItXFcGCWgGmHtxl/3c9",
  gostYescrypt: "$gy$j75$saltsaltsalt$9zys/nFefUB15r65oX.D8VAA/wp6H3lo8NjSS/PSjG1",
  scrypt: "$7$4U..../....saltsalt$YlnRaTR1545MfUsYTdRiJMUarn0.wCc.eQk9KgR58U6",
  sha1crypt: "$sha1$1000$saltsalt$ClO1oWKZA4illFXt435zLAuTBcgx",
  des: "abnqrLigH.z/s",
  bsdi: "_J9..saltfTZGTNEwMRg",
} as const

/** Takes a quarter of a second. */
export const slowHash = "$2y$12$abcdefghijklmnopqrstuuJkleeYqGi6JJcNM.d95WxQIKjR4lCny"

/** The header that a client sends. */
export function basic(user: string, pass = password): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString("base64")}` }
}
