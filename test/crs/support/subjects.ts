// What the tests are run against: each is an nginx with the rules, in front of the backend.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { modsecurityConnector } from "../../../harness/modsecurity.ts"
import { type Nginx, startNginx } from "../../../harness/nginx.ts"
import type { RulePart } from "./rules.ts"

export interface Subject extends AsyncDisposable {
  readonly nginx: Nginx
}
export type StartSubject = (rules: readonly RulePart[], backendPort: number) => Promise<Subject>

/** Every answer ends its connection; requests that never end are not waited for. */
const patience =
  "keepalive_timeout 0; client_header_timeout 2s; client_body_timeout 2s; client_max_body_size 20m;"

/** A stock nginx with Debian's connector. */
export const stock: StartSubject = async (rules, backendPort) => {
  const connector = await modsecurityConnector()
  const nginx = await startNginx(({ dir, port }) => ({
    main: `load_module ${connector};`,
    http: `${patience}
      modsecurity on; ${rules.map((part, at) => `modsecurity_rules_file ${fileOf(part, join(dir, `${at}.conf`))};`).join(" ")}
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${backendPort}; } }`,
  }))
  return { nginx, [Symbol.asyncDispose]: () => nginx.stop() }
}

function fileOf(part: RulePart, file: string): string {
  if ("file" in part) return part.file
  writeFileSync(file, part.text)
  return file
}

export const subjects = { stock } as const
