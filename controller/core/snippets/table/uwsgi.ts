import { never } from "../reasons.ts"
import { idle, optional, type Row, repeatable } from "../rows.ts"
import { flag, headerName, number, oneOf, template, text } from "../values.ts"
import {
  answerRows,
  askingRows,
  bufferRows,
  cacheRows,
  everywhere,
  failures,
  tlsRows,
  withoutBackends,
} from "./backends.ts"

// Backends of uwsgi.

export const uwsgi: readonly Row[] = [
  never.protocols("uwsgi_pass", "location if", [template]),
  idle("uwsgi_modifier1", everywhere, [number()]),
  idle("uwsgi_modifier2", everywhere, [number()]),
  idle("uwsgi_param", everywhere, [headerName, template, optional(oneOf("if_not_empty"))], repeatable),
  idle("uwsgi_string", everywhere, [text]),
  ...askingRows("uwsgi", withoutBackends, failures),
  ...answerRows("uwsgi", withoutBackends),
  ...bufferRows("uwsgi", withoutBackends),
  ...cacheRows("uwsgi", withoutBackends, failures),
  ...tlsRows("uwsgi", withoutBackends),
  idle("uwsgi_ssl_verify", everywhere, [flag]),
]
