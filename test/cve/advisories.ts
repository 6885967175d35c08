// Advisories of nginx of 2026, by what keeps them away: a directive that stands in no template, or a fix that the nginx which is installed has to have.
// Source: nginx.org, "security advisories"; changelogs of Debian's packages.

interface Advisory {
  /** with what the identifiers have behind `CVE-` */
  readonly cves: readonly string[]
  readonly what: string
}

/** What a template would have to say. */
interface Unprinted extends Advisory {
  /** of a line; where it is a name, of a word of a directive */
  readonly line: RegExp | readonly string[]
}

/** Lines that make nginx vulnerable. */
export const unprinted: readonly Unprinted[] = [
  { cves: ["2026-42945", "2026-9256"], what: "rewrite with captures", line: /^rewrite\b.*[$(]/ },
  { cves: ["2026-42533"], what: "a map whose values have captures of a pattern", line: /^"?~.*\$\d/ },
  { cves: ["2026-15176", "2026-125283"], what: "alias", line: ["alias"] },
  { cves: ["2026-42926"], what: "proxy_set_body", line: ["proxy_set_body"] },
  { cves: ["2026-42934", "2026-48142"], what: "charset", line: ["charset", "charset_map", "source_charset"] },
  { cves: ["2026-42946"], what: "scgi and uwsgi", line: ["scgi_pass", "uwsgi_pass"] },
  { cves: ["2026-56434"], what: "server side includes", line: ["ssi"] },
  { cves: ["2026-60005"], what: "slice", line: ["slice"] },
  {
    cves: ["2026-40701", "2026-28755", "2026-120967"],
    what: "client certificates that nginx verifies, and OCSP for them",
    line: ["ssl_verify_client", "ssl_ocsp"],
  },
  { cves: ["2026-123634"], what: "names that nginx looks up", line: ["resolver"] },
  { cves: ["2026-123640"], what: "ssl_preread", line: ["ssl_preread"] },
  { cves: ["2026-27654"], what: "WebDAV", line: ["dav_methods", "dav_ext_methods"] },
  { cves: ["2026-27784", "2026-32647"], what: "mp4", line: ["mp4"] },
  {
    cves: ["2026-27651", "2026-28753", "2026-113425"],
    what: "mail",
    line: ["mail", "auth_http", "smtp_auth"],
  },
]

/** What wick makes use of: nginx itself has to be mended. */
export const mended: readonly Advisory[] = [
  { cves: ["2026-1642"], what: "text before the handshake of a backend with TLS" },
  { cves: ["2026-42055"], what: "long headers to gRPC backends" },
  { cves: ["2026-93479"], what: "strings made of variables" },
  { cves: ["2026-42934", "2026-48142"], what: "charset, which snippets may say" },
  { cves: ["2026-60005"], what: "slice, which snippets may say" },
  { cves: ["2026-97205"], what: "many operations of a request at the same time" },
  { cves: ["2026-118899"], what: "bodies of requests" },
  { cves: ["2026-123007", "2026-123633"], what: "HTTP/2" },
]

/** Where nginx was built with HTTP/3, which operators may switch on. Two others, CVE-2026-42530 and -90439, the changelog of trixie's package does not name. */
export const mendedInHttp3: readonly Advisory[] = [
  { cves: ["2026-40460"], what: "spoofed addresses" },
  { cves: ["2026-95101"], what: "frames that are skipped" },
  { cves: ["2026-121810"], what: "connections that are closed while they are used" },
]
