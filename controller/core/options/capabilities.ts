/**
 * What is planned and not there yet: the words that entries of annotations, ConfigMap keys and flags are marked with, and how a person reads
 * them. In the order in which they are to come.
 */
export const capabilities = {
  "snippets-and-waf": "snippets and web application firewall",
} as const

export type Capability = keyof typeof capabilities
