import { raw, refused } from "./rows.ts"

// Why directives are refused, or stay text, in sentences that say what to write in their place.

function lua(instead: string): ReturnType<typeof refused> {
  return refused("it runs Lua, which does not exist here", instead)
}

/** What no snippet may say. */
export const never = {
  files: refused("it serves files, and this nginx has none", "a backend that serves them"),
  status: refused("it describes nginx itself to clients", 'ConfigMap key "nginx-status-ipv4-whitelist"'),
  upstreamKeys: refused("it names a file of a key or certificate", 'annotation "proxy-ssl-secret"'),
  keys: refused("it names a file of a key or certificate", "a Secret in spec.tls"),
  handshake: refused(
    "it decides who gets a connection, before it is known which host is asked for",
    'annotations "auth-tls-secret" and "auth-tls-verify-client"',
  ),
  disk: refused("it names a place on the disk of nginx"),
  bind: refused("it chooses the address that backends are asked from"),
  protocols: refused("backends of this protocol are no part of a snippet", 'annotation "backend-protocol"'),
  realip: refused(
    "it decides whose address a client has, for all checks",
    'ConfigMap keys "use-forwarded-headers" and "proxy-real-ip-cidr"',
  ),
  users: refused("it names a file", 'annotations "auth-type" and "auth-secret"'),
  server: refused("the host and its ports are those of the Ingress", "a rule of the Ingress for it"),
  mirror: refused("it sends requests to somebody else", 'annotation "mirror-target"'),
  subrequests: refused("it makes further requests of each one"),
  ssi: refused("what a backend sends would be code of nginx"),
  logfile: refused("it names a file", 'ConfigMap keys "error-log-level" and "log-format-upstream"'),
  include: refused("it reads a file of nginx's machine", "what stands in that file"),
  process: refused("the controller decides it", "a key of the ConfigMap or a flag of the controller"),
  blocks: refused("the controller writes this block", "each directive that stands in it"),
  code: lua("a backend that does it"),
  access: lua('annotation "auth-url", and an if with return'),
  rewrites: lua("set, if and rewrite"),
  answers: lua("return, and a backend that does it"),
  responses: lua("more_set_headers"),
  bodies: lua("sub_filter"),
  balancing: lua("a balancing policy"),
  logs: lua('ConfigMap key "log-format-upstream"'),
  modsecurity: refused("ModSecurity is no part of a snippet", 'annotation "enable-modsecurity"'),
  modsecurityRemote: refused(
    "it reads rules from another machine",
    'annotations "enable-owasp-core-rules" and "wick.dev/modsecurity-rules"',
  ),
  tracing: refused("traces are made by wick itself", 'annotation "enable-opentelemetry"'),
  places: refused(
    "where a client is found on a map is not known here",
    "a header that the load balancer in front sets",
  ),
} as const

/** What only somebody may say who is allowed to write text of nginx's. */
export const asText = {
  commands: raw("it is a command for OpenSSL that is not looked into"),
  disk: raw("it makes a place on the disk of nginx"),
  server: raw("it is a server block beside those of the hosts", "an Ingress for the host"),
  resolver: raw("it chooses who resolves names"),
  replays: raw("others can repeat what comes with the first bytes", 'ConfigMap key "ssl-early-data"'),
  responder: raw("it chooses whom nginx connects to"),
  sessions: raw("it takes memory that all hosts share", 'ConfigMap key "ssl-session-cache-size"'),
  environment: raw("it hands an environment variable on to what runs in nginx"),
  filesOfStreams: raw("it names a file of a key or certificate"),
  scripts: raw("it runs JavaScript, where the module for it is installed"),
} as const
