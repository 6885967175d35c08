import type { CompileTexts } from "./config-snippets.ts"
import type { NamedObjects } from "./key.ts"
import type { Settings } from "./settings.ts"

// What keys of the ConfigMap say against each other, and against what is there.

/** What the settings depend on besides the ConfigMap itself. */
export interface Surroundings extends NamedObjects {
  /** nginx's modules for brotli are installed */
  readonly hasBrotli: boolean
  /** nginx's module for Zstandard is installed */
  readonly hasZstd: boolean
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
  ({ usesBrotli }, { hasBrotli }) =>
    usesBrotli && !hasBrotli
      ? {
          field: "usesBrotli",
          setting: { usesBrotli: false },
          state:
            "has no effect: nginx's modules for brotli are not installed, in Debian libnginx-mod-http-brotli-filter and -static",
        }
      : undefined,
  ({ usesZstd }, { hasZstd }) =>
    usesZstd && !hasZstd
      ? {
          field: "usesZstd",
          setting: { usesZstd: false },
          state:
            "has no effect: nginx's module for Zstandard is not installed, in Debian libnginx-mod-http-zstd-filter, from 14 on; enable-brotli and use-gzip compress without it",
        }
      : undefined,
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

/** What is used instead of settings that cannot be used together. */
export function corrections(settings: Settings, around: Surroundings): readonly Instead[] {
  return rules.flatMap((rule) => rule(settings, around) ?? [])
}
