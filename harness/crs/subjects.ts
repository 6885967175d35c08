// What the tests are run against: each is an nginx with the rules, in front of the backend.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startIngress } from "../ingress/ingress.ts"
import { type RulePart, writeRules } from "../ingress/waf.ts"
import { modsecurityConnector } from "../modsecurity.ts"
import { type Nginx, startNginx } from "../nginx.ts"

export interface Subject extends AsyncDisposable {
  readonly nginx: Nginx
}

/** Of no rules at all there is no firewall. `settings` stand in the http block. */
export type StartSubject = (
  rules: readonly RulePart[],
  backendPort: number,
  settings?: string,
) => Promise<Subject>

/** Every answer ends its connection; requests that never end are not waited for. */
const patience = "keepalive_timeout 0; client_header_timeout 10s; client_body_timeout 10s;"

/** A stock nginx with Debian's connector. */
export const stock: StartSubject = async (rules, backendPort, settings = patience) => {
  const connector = await modsecurityConnector()
  const nginx = await startNginx(({ dir, port }) => ({
    main: `load_module ${connector};`,
    http: `${settings} ${rules.length > 0 ? "modsecurity on;" : ""}
      ${rules.map((part, at) => directive(part, join(dir, `${at}.conf`))).join(" ")}
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${backendPort}; } }`,
  }))
  return { nginx, [Symbol.asyncDispose]: () => nginx.stop() }
}

function directive(part: RulePart, file: string): string {
  if ("text" in part) writeFileSync(file, part.text)
  return `modsecurity_rules_file ${"file" in part ? part.file : file};`
}

/** wick's module, with a route for all hosts. */
export const wick: StartSubject = async (rules, backendPort, settings = patience) => {
  const ingress = await startIngress({
    http: ({ dir }) => `${settings} ingress_modsecurity ${dir}/modsecurity;`,
    locations: `location @app { proxy_pass http://127.0.0.1:${backendPort}; }`,
  })
  const waf = { owner: "demo/app", rules: writeRules(join(ingress.nginx.dir, "modsecurity"), rules) }
  await ingress.route("_", [{ path: "/", location: "app", ...(rules.length > 0 && { waf }) }])
  return ingress
}

export const subjects = { wick, stock } as const
