// What the tests are run against: each is an nginx with the rules, in front of the backend.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startIngress } from "../../../harness/ingress/ingress.ts"
import { type RulePart, writeRules } from "../../../harness/ingress/waf.ts"
import { modsecurityConnector } from "../../../harness/modsecurity.ts"
import { type Nginx, startNginx } from "../../../harness/nginx.ts"

export interface Subject extends AsyncDisposable {
  readonly nginx: Nginx
}
export type StartSubject = (rules: readonly RulePart[], backendPort: number) => Promise<Subject>

/** Every answer ends its connection; requests that never end are not waited for. */
const patience = "keepalive_timeout 0; client_header_timeout 2s; client_body_timeout 2s;"

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

/** wick's module, with a route for all hosts. */
export const wick: StartSubject = async (rules, backendPort) => {
  const ingress = await startIngress({
    http: ({ dir }) => `${patience} ingress_modsecurity ${dir}/modsecurity;`,
    locations: `location @app { proxy_pass http://127.0.0.1:${backendPort}; }`,
  })
  const digest = writeRules(join(ingress.nginx.dir, "modsecurity"), rules)
  await ingress.route("_", [{ path: "/", location: "app", waf: { owner: "demo/app", rules: digest } }])
  return ingress
}

export const subjects = { wick, stock } as const
