/** Browsers that refuse a cookie, or take it for a strict one, when it says `SameSite=None`. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as host from "../host"

const USER_AGENT: host.Name = new host.Name("user-agent")

/** Is the request from a browser that must not see `SameSite=None`? The rules are those of ingress-nginx. */
export function isUnfitForNone(): bool {
  if (!host.requestHeader(USER_AGENT)) return false
  if (says("Chrome/4") || says("Chrome/5") || says("Chrome/6")) return true
  if (says("CPU iPhone OS 12") || says("iPad; CPU OS 12")) return true
  return says("Macintosh") && says("Intel Mac OS X 10_14") && says("Safari") && !says("Chrome")
}

function says(words: string): bool {
  for (let i: usize = 0; i < host.length; i++) {
    if (bytes.startsWith(host.at + i, host.length - i, words)) return true
  }
  return false
}
