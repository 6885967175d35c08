import { never } from "../reasons.ts"
import { idle, many, optional, type Row, repeatable } from "../rows.ts"
import { flag, number, oneOf, size, template, text } from "../values.ts"

// Modules that serve files or describe nginx itself.

const everywhere = "http server location"

export const files: readonly Row[] = [
  never.files("index", everywhere, [many(template)], repeatable),
  never.files("try_files", "server location", [many(text, 2)]),
  never.files("random_index", "location", [flag]),
  never.files("autoindex", everywhere, [flag]),
  idle("autoindex_format", everywhere, [oneOf("html", "json", "jsonp", "xml")]),
  idle("autoindex_localtime", everywhere, [flag]),
  idle("autoindex_exact_size", everywhere, [flag]),
  never.status("stub_status", "server location", [optional(text)]),
  never.files("mp4", "location", []),
  idle("mp4_buffer_size", everywhere, [size]),
  idle("mp4_max_buffer_size", everywhere, [size]),
  idle("mp4_start_key_frame", everywhere, [flag]),
  never.files("flv", "location", []),
  never.files(
    "dav_methods",
    everywhere,
    [many(oneOf("off", "put", "delete", "mkcol", "copy", "move"))],
    repeatable,
  ),
  never.files("create_full_put_path", everywhere, [flag]),
  idle("min_delete_depth", everywhere, [number()]),
  never.files("dav_access", everywhere, [many(text, 1, 3)]),
  never.files("empty_gif", "location", []),
]
