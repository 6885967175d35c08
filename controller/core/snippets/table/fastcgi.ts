import { never } from "../reasons.ts"
import { data, idle, optional, type Row, repeatable, typed } from "../rows.ts"
import { flag, headerName, matching, oneOf, size, template, text } from "../values.ts"
import { answerRows, askingRows, bufferRows, cacheRows, everywhere, failures } from "./backends.ts"

// Backends of FastCGI.

const twoGroups = matching(/\(.*\).*\(.*\)/s, "a pattern with two groups")

export const fastcgi: readonly Row[] = [
  never.protocols("fastcgi_pass", "location if", [template]),
  idle("fastcgi_index", everywhere, [text]),
  typed("fastcgi_split_path_info", everywhere, [twoGroups]),
  typed("fastcgi_send_lowat", everywhere, [size]),
  data("fastcgi_param", everywhere, [headerName, template, optional(oneOf("if_not_empty"))], repeatable),
  idle("fastcgi_catch_stderr", everywhere, [text], repeatable),
  typed("fastcgi_keep_conn", everywhere, [flag]),
  ...askingRows("fastcgi", { data, typed }, failures),
  ...answerRows("fastcgi", { data, typed }),
  ...bufferRows("fastcgi", { data, typed }),
  ...cacheRows("fastcgi", { data, typed }, failures),
]
