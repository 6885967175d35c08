// Certificates that tests share; they are valid for a hundred years and vouch for nothing.
import { readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../test/fixtures/tls")

/** Text of `ca.crt`, of `client.crt`, which it vouches for, or of its `client.key`. */
export function pem(file: "ca.crt" | "client.crt" | "client.key"): string {
  return readFileSync(join(folder, file), "utf8")
}

/** What a Secret holds with all three. */
export const tlsData = {
  "tls.crt": pem("client.crt"),
  "tls.key": pem("client.key"),
  "ca.crt": pem("ca.crt"),
}
