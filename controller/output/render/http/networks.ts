import { canonicalRange } from "../../../support/address-range.ts"

/** `default` of a `geo` stands for both, and nginx warns of a network that is there twice. */
const halves = new Map([
  ["0.0.0.0/0", ["0.0.0.0/1", "128.0.0.0/1"]],
  ["::/0", ["::/1", "8000::/1"]],
])

/** Networks as a `geo` of nginx takes them without a warning: each once, whatever its spelling, and everybody in halves. */
export function geoNetworks(networks: readonly string[]): readonly string[] {
  const spelled = networks.flatMap((network) => halves.get(canonicalRange(network) ?? network) ?? [network])
  return eachOnce(spelled)
}

/** The first spelling of each. */
export function eachOnce(networks: readonly string[]): readonly string[] {
  const byRange = Map.groupBy(networks, (network) => canonicalRange(network) ?? network)
  return [...byRange.values()].flatMap(([first]) => first ?? [])
}
