import type { Compression } from "../../../model/http/requests.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { pattern } from "./map-keys.ts"
import { between, bytes, falseByDefault, orEmpty } from "./syntax.ts"
import { mediaTypes } from "./texts.ts"

const types =
  "application/atom+xml application/javascript application/x-javascript application/json application/rss+xml " +
  "application/vnd.ms-fontobject application/x-font-ttf application/x-web-app-manifest+json application/xhtml+xml application/xml " +
  "font/opentype image/svg+xml image/x-icon text/css text/javascript text/plain text/x-component"

const typesOfItsOwn = { shownDefault: "ingress-nginx's list", example: "application/json" }

export const compression = family("Compression", {
  usesGzip: falseByDefault("use-gzip", "whether responses are compressed with gzip"),
  gzipLevel: key("gzip-level", between(1, 9), "1", {
    example: "6",
    description: "compression level of gzip",
  }),
  gzipMinBytes: key("gzip-min-length", bytes, "256", {
    example: "1024",
    description: "shortest response that is compressed with gzip",
  }),
  gzipTypes: key("gzip-types", mediaTypes, types, {
    ...typesOfItsOwn,
    description: "media types that are compressed with gzip, besides `text/html`",
  }),
  gzipDisable: key("gzip-disable", pattern, "", {
    example: "MSIE",
    description: "user agents whose responses are not compressed with gzip",
  }),
  usesBrotli: falseByDefault(
    "enable-brotli",
    "whether responses are compressed with brotli; needs nginx's brotli modules, which the images have",
  ),
  brotliLevel: key("brotli-level", orEmpty(0, between(0, 11)), "4", {
    example: "6",
    description: "compression level of brotli",
  }),
  brotliMinBytes: key("brotli-min-length", bytes, "20", {
    example: "1024",
    description: "shortest response that is compressed with brotli",
  }),
  brotliTypes: key("brotli-types", mediaTypes, `application/xml+rss ${types}`, {
    ...typesOfItsOwn,
    description: "media types that are compressed with brotli",
  }),
  usesZstd: falseByDefault(
    "enable-zstd",
    "wick's own: whether responses are compressed with Zstandard; needs nginx's module for it, which Debian has from 14 on, and the images have not",
  ),
  zstdLevel: key("zstd-level", between(1, 19), "3", {
    example: "6",
    description: "wick's own: compression level of Zstandard",
  }),
  zstdMinBytes: key("zstd-min-length", bytes, "256", {
    example: "1024",
    description: "wick's own: shortest response that is compressed with Zstandard",
  }),
  zstdTypes: key("zstd-types", mediaTypes, types, {
    ...typesOfItsOwn,
    description: "wick's own: media types that are compressed with Zstandard, besides `text/html`",
  }),
} satisfies EntriesFor<Compression>)
