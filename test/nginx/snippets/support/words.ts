// What generated snippets say, and what generated requests bring: few words, so that the ones meet the others.
/** Paths as they are sent. */
export const paths = [
  ...["/", "/a", "/a/", "/a/b", "/a/b/c", "/A/B", "/ab", "/b", "/b/a/b", "/x.php", "/a/x.cgi", "/a/X.PHP"],
  ...[
    "/sub",
    "/sub/",
    "/sub/a",
    "/subx",
    "/metrics",
    "/metricsx",
    "/old/page",
    "/old/",
    "/new/page",
    "/v2/a/b",
  ],
  ...["/a%20b", "/caf%C3%A9", "/a%2Fb", "//a//b", "/a+b", "/a;b=c", "/a%25", "/@x", "/deep/1/2/3"],
] as const

/** Paths of the locations that generated server-snippets have. */
export const locationPaths = ["/l0", "/l0/", "/l0x", "/l0/in/x", "/l1", "/l1/x", "/l2", "/l2/in"] as const

export const queries = [
  "",
  "",
  "",
  "?q=v",
  "?q=",
  "?q=1&r=2",
  "?r=a%20b&q=V",
  "?",
  "?Q=v",
  "?q=a/b?c",
] as const

/** Regular expressions that are tried with paths. */
export const pathPatterns = [
  ...[
    "^/a",
    "^/a/(.*)$",
    "^/(a|b)/",
    "\\.(css|json|php)$",
    "^/$",
    "^",
    "^/old/(.+)",
    "/b$",
    "^/sub(/|$)(.*)",
  ],
  ...[
    "^/([^/]+)/([^/]*)/(.*)",
    "(?i)^/A/b",
    "^/(?<seg>[a-z]+)/",
    "^/v[0-9]{1,2}/(.*)",
    "[ é]",
    "//",
    "^(.*)/$",
  ],
  ...["^/deep/(\\d)/(\\d)/(\\d)", "^/metrics$", "^/nothing"],
] as const

/** Regular expressions that are tried with headers, arguments and the like. */
export const valuePatterns = [
  ...["v", "^v$", "bot|crawler", "^(.+)-(.+)$", "\\d+", "^$", ".", "^(GET|HEAD)$"],
  ...["^https?://([^/]+)", "[;{}]"],
  ...["127\\.0\\.0\\.[12]", "(?<word>[a-z]+)"],
] as const

/** Values of headers, arguments and cookies that requests bring. */
export const values = [
  ...["v", "V", "0", "1", "", "bot/2", "a-b", "x;y", "{z}", "https://o.test", "00", "on off"],
] as const

export const methods = ["GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE"] as const

/** Variables whose values requests decide. */
export const requestVariables = [
  ...["http_x_a", "http_x_b", "arg_q", "arg_r", "cookie_c", "uri", "request_uri", "args"],
  ...["query_string", "is_args"],
  ...["host", "http_host", "request_method", "scheme", "remote_addr", "document_uri", "http_user_agent"],
  ...["http_cookie", "http_origin", "content_length", "content_type", "server_protocol", "req_id"],
] as const

/** Variables that ingress-nginx's locations set. */
export const locationVariables = ["namespace", "ingress_name", "service_name", "location_path"] as const

/** Variables of the answer; empty before. */
export const answerVariables = [
  ...["sent_http_content_type", "upstream_http_x_b", "upstream_status", "status", "sent_http_x_b"],
] as const

/** Texts without variables, as they are written within double quotes. */
export const literals = [
  ...["v", "1", "0", "plain", "two words", "a; b", "{c}", "it's", 'say \\"x\\"'],
  ...["# no comment", "max-age=1", "é"],
  ...["back\\\\slash", "50%", "a=b,c", "<a href=/>", "*", "-"],
] as const

export const answerHeaderNames = [
  ...["X-A", "X-B", "X-New", "X-Frame-Options", "X-Powered-By", "Cache-Control", "Content-Type"],
  ...["ETag", "Set-Cookie"],
] as const
export const requestHeaderNames = [
  ...["X-A", "X-B", "X-New", "Cookie", "User-Agent", "Origin", "X-Forwarded-For", "X-Real-IP"],
  ...["Host", "Accept"],
] as const

/** Names of `set` variables. */
export const ownVariables = ["v0", "v1", "v2"] as const
