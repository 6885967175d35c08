import type { Compression } from "../../../model/http/compression.ts"
import { type Keys, key } from "../key.ts"
import { emptyIs, integer } from "../values.ts"
import { regularExpression } from "./map-keys.ts"
import { count, mediaTypes, onOff } from "./parsers.ts"

const types =
  "application/atom+xml application/javascript application/x-javascript application/json application/rss+xml " +
  "application/vnd.ms-fontobject application/x-font-ttf application/x-web-app-manifest+json application/xhtml+xml application/xml " +
  "font/opentype image/svg+xml image/x-icon text/css text/javascript text/plain text/x-component"

export const compression: Keys<Compression> = {
  usesGzip: key("use-gzip", onOff, "false"),
  gzipLevel: key("gzip-level", integer(1, 9), "1"),
  gzipMinBytes: key("gzip-min-length", count, "256"),
  gzipTypes: key("gzip-types", mediaTypes, types),
  gzipDisable: key("gzip-disable", emptyIs("", regularExpression), ""),
  usesBrotli: key("enable-brotli", onOff, "false"),
  brotliLevel: key("brotli-level", emptyIs(0, integer(0, 11)), "4"),
  brotliMinBytes: key("brotli-min-length", count, "20"),
  brotliTypes: key("brotli-types", mediaTypes, `application/xml+rss ${types}`),
}
