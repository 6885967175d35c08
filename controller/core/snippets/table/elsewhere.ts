import { asText, never } from "../reasons.ts"
import { many, type Row } from "../rows.ts"
import { text } from "../values.ts"

// Modules that the reference has and wick does not: their directives are known by how their names begin or end, so that a refusal can say what to
// write in their place.

type Build = (typeof never)[keyof typeof never] | (typeof asText)[keyof typeof asText]

const families: readonly (readonly [pattern: RegExp, build: Build])[] = [
  [/^access_by_lua/, never.access],
  [/^(rewrite|set|server_rewrite)_by_lua/, never.rewrites],
  [/^content_by_lua/, never.answers],
  [/^header_filter_by_lua/, never.responses],
  [/^body_filter_by_lua/, never.bodies],
  [/^balancer_by_lua/, never.balancing],
  [/^log_by_lua/, never.logs],
  [/_by_lua(_block|_file)?$|^lua_|^init_by_|^balancer_keepalive/, never.code],
  [/^perl(_|$)/, never.code],
  [/^js_/, asText.scripts],
  [/^modsecurity_rules_remote$/, never.modsecurityRemote],
  [/^modsecurity/, never.modsecurity],
  [/^(opentelemetry|opentracing|otel|zipkin|jaeger|datadog)/, never.tracing],
  [/^geoip2?(_|$)/, never.places],
]

const anywhere =
  "main http upstream server server-if location if limit-except stream stream-server stream-upstream"

/** The row of a directive that no module of ours has. */
export function elsewhere(name: string, hasBlock: boolean): Row | undefined {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return undefined
  const [, build] = families.find(([pattern]) => pattern.test(name)) ?? []
  return build?.(name, anywhere, [many(text, 0)], { hasBlock, isRepeatable: true })
}
