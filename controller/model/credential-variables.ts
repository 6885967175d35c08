/** Variables of nginx that hold what proves who a client is. None of it belongs into a URL, a name, a response or a log. */
const credentials =
  /^(http_(proxy_)?authorization|http_cookie|cookie_\w+|upstream_cookie_\w+|(sent|upstream)_http_set_cookie)$/

/** @param name without its `$`, in any case */
export function isCredential(name: string): boolean {
  return credentials.test(name.toLowerCase())
}
