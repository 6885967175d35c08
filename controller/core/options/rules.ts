import type { Capabilities } from "../../model/capabilities.ts"
import type { CompileTexts } from "./config-snippets.ts"
import type { NamedObjects } from "./key.ts"
import type { Settings } from "./settings.ts"

// What keys of the ConfigMap say against each other, and against what is there.

/** What the settings depend on besides the ConfigMap itself. */
export interface Surroundings extends NamedObjects {
  readonly capabilities: Capabilities
  /** at which routes are served; absent: 80 and 443 */
  readonly ports?: ReadonlySet<number>
  /** at which somebody of ours listens who is no server of nginx's for requests; absent: none */
  readonly ownPorts?: ReadonlySet<number>
  /** absent: texts of snippets are compiled each time */
  readonly compileTexts?: CompileTexts
}

/** A setting in the place of what a key asks for. */
export interface Instead {
  readonly field: keyof Settings
  readonly setting: Partial<Settings>
  /** goes on after the key's name */
  readonly state: string
}

type Rule = (settings: Settings, around: Surroundings) => Instead | undefined

/** Larger ones are a way to overflow buffers of nginx together with invalid headers (CVE-2026-42055). */
const safeHeaderBytes = 8192

const rules: readonly Rule[] = [
  ({ usesBrotli }, { capabilities }) =>
    usesBrotli && !capabilities.hasBrotli
      ? {
          field: "usesBrotli",
          setting: { usesBrotli: false },
          state:
            "has no effect: nginx's modules for brotli are not installed, in Debian libnginx-mod-http-brotli-filter and -static",
        }
      : undefined,
  ({ usesZstd }, { capabilities }) =>
    usesZstd && !capabilities.hasZstd
      ? {
          field: "usesZstd",
          setting: { usesZstd: false },
          state:
            "has no effect: nginx's module for Zstandard is not installed, in Debian libnginx-mod-http-zstd-filter, from 14 on; enable-brotli and use-gzip compress without it",
        }
      : undefined,
  (settings, around) => {
    const state = settings.usesHttp3 ? hindersHttp3(settings, around) : undefined
    return state === undefined
      ? undefined
      : { field: "usesHttp3", setting: { usesHttp3: false }, state: `has no effect: ${state}` }
  },
  ({ ignoresInvalidHeaders, largeClientHeaderBuffers: { number, bytes } }) =>
    !ignoresInvalidHeaders && bytes > safeHeaderBytes
      ? {
          field: "largeClientHeaderBuffers",
          setting: { largeClientHeaderBuffers: { number, bytes: safeHeaderBytes } },
          state: `cannot be used, so ${number} 8k applies: larger buffers are not safe while ignore-invalid-headers is false`,
        }
      : undefined,
  ({ usesSyslog, syslogHost }) =>
    usesSyslog && syslogHost === ""
      ? { field: "usesSyslog", setting: { usesSyslog: false }, state: "has no effect: set syslog-host" }
      : undefined,
  ({ proxyBusyBuffersBytes: busy, proxyBufferBytes: buffer, proxyBuffersNumber: number }) => {
    const max = (number - 1) * buffer
    return busy !== 0 && (busy < buffer || busy > max)
      ? {
          field: "proxyBusyBuffersBytes",
          setting: { proxyBusyBuffersBytes: 0 },
          state: `cannot be used, so nginx's default applies: with this proxy-buffer-size and proxy-buffers-number write a size from ${buffer} to ${max} bytes`,
        }
      : undefined
  },
  ({ proxyMaxTempFileBytes: file, proxyBufferBytes: buffer }) =>
    file !== 0 && file < buffer
      ? {
          field: "proxyMaxTempFileBytes",
          setting: { proxyMaxTempFileBytes: buffer },
          state: `cannot be used, so ${buffer} bytes apply: write at least proxy-buffer-size, or 0 for no temporary files`,
        }
      : undefined,
]

function hindersHttp3(
  { expectsProxyProtocol, protocols }: Settings,
  { capabilities }: Surroundings,
): string | undefined {
  if (!capabilities.hasHttp3)
    return "this nginx was built without HTTP/3; use one with http_v3_module, as Debian 13 has it"
  // nginx reads no PROXY header in UDP, and lists of addresses would go by the load balancer's.
  if (expectsProxyProtocol) return "use-proxy-protocol is true, and nginx knows no PROXY protocol for QUIC"
  return protocols.includes("TLSv1.3") ? undefined : "HTTP/3 needs TLSv1.3 in ssl-protocols"
}

/** What is used instead of settings that cannot be used together. */
export function corrections(settings: Settings, around: Surroundings): readonly Instead[] {
  return rules.flatMap((rule) => rule(settings, around) ?? [])
}
