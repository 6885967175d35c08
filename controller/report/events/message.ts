/** As much as the API server takes of an Event in its newer form. Source: Kubernetes, API validation of events.k8s.io/v1, field note. */
const maxBytes = 1024

const ellipsis = "…"
const room = new Uint8Array(maxBytes - Buffer.byteLength(ellipsis))
const encoder = new TextEncoder()

/** A text as the message of an Event: cut between two characters when it is longer than 1024 bytes. */
export function messageOf(text: string): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const { read } = encoder.encodeInto(text, room)
  return text.slice(0, read) + ellipsis
}
