// A key and certificate for endpoints in tests; nobody trusts them anywhere.
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSq81YOf3A2CVEMyb
9GDoFfa37oroSVomFDHySEJIqOChRANCAAQQg2+pMxGn3RpCwXFEp3DPUMhuV8yQ
BNSkfgCwwGNxb4kZCCnOf4QoRKyyfpJgfQnbxE+LvJ2k7GOc0BsyzmAU
-----END PRIVATE KEY-----`

export const cert = `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIUBODo6sGe8NEsjkm62Uv7hbGCUZYwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNZW5kcG9pbnQudGVzdDAgFw0yNjExMjExNDEzNTBaGA8yMTI2
MTAyODE0MTM1MFowGDEWMBQGA1UEAwwNZW5kcG9pbnQudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABBCDb6kzEafdGkLBcUSncM9QyG5XzJAE1KR+ALDAY3Fv
iRkIKc5/hChErLJ+kmB9CdvET4u8naTsY5zQGzLOYBSjUzBRMB0GA1UdDgQWBBTd
5RYOhO/u3VJq1rr4owyM6RbYKjAfBgNVHSMEGDAWgBTd5RYOhO/u3VJq1rr4owyM
6RbYKjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIEciNNdIBqb6
EHE3O3PGu0WEruzC4pwVEpeGlgCN2V81AiEAgVYvpD6RiVRZymmZSpIXQeTkB85r
7pD/rnabuM6QpoU=
-----END CERTIFICATE-----`

/** The server name in the first bytes of a TLS connection; "" for none (RFC 8446, 4.1.2; RFC 6066, 3). Node tells it of full handshakes only. */
export function serverNameIn(hello: Buffer): string {
  const skip = (at: number, lengthBytes: number) => at + lengthBytes + hello.readUIntBE(at, lengthBytes)
  const beforeSessionId = 5 + 4 + 2 + 32
  if (hello.length <= beforeSessionId || hello[0] !== 0x16) return ""
  const extensions = skip(skip(skip(beforeSessionId, 1), 2), 1)
  const end = skip(extensions, 2)
  for (let at = extensions + 2; at < end; at = skip(at + 2, 2)) {
    const isServerName = hello.readUInt16BE(at) === 0
    if (isServerName) return hello.toString("latin1", at + 9, skip(at + 7, 2))
  }
  return ""
}
