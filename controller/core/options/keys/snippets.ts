import { family, planned } from "../key.ts"

/** Text that goes into nginx.conf as it is, and ModSecurity. */
export const snippets = family("Process", {
  mainSnippet: planned("main-snippet", "snippets-and-waf"),
  httpSnippet: planned("http-snippet", "snippets-and-waf"),
  serverSnippet: planned("server-snippet", "snippets-and-waf"),
  locationSnippet: planned("location-snippet", "snippets-and-waf"),
  streamSnippet: planned("stream-snippet", "snippets-and-waf"),
  enableModsecurity: planned("enable-modsecurity", "snippets-and-waf"),
  enableOwaspModsecurityCrs: planned("enable-owasp-modsecurity-crs", "snippets-and-waf"),
  modsecuritySnippet: planned("modsecurity-snippet", "snippets-and-waf"),
})
