// What a backend sees of a request, so that wick's and a plain nginx's can be compared.

/** Set by wick, and not by a plain nginx. */
const own =
  /^(cdn-loop|x-request-id|x-real-ip|x-forwarded-(for|host|port|proto|scheme|prefix)|x-scheme|x-original-forwarded-for): .*\r\n/gim

export function withoutOwn(request: string): string {
  return request.replace(own, "")
}

/** The order of headers that a proxy sets is its own affair. */
export function inOrder(request: string): string {
  const end = request.indexOf("\r\n\r\n")
  const [line = "", ...headers] = request.slice(0, end).split("\r\n")
  const isOurs = (header: string) => /^(host|connection|upgrade): /i.test(header)
  return (
    [line, ...headers.filter(isOurs), ...headers.filter((header) => !isOurs(header))].join("\r\n") +
    request.slice(end)
  )
}
