import { never } from "../reasons.ts"
import { data, idle, many, type Row, repeatable, typed } from "../rows.ts"
import { client, flag, number, template, text, variable } from "../values.ts"

// Who is let in.

const everywhere = "http server location"

export const access: readonly Row[] = [
  data("auth_basic", "http server location limit-except", [template]),
  never.users("auth_basic_user_file", "http server location limit-except", [template]),
  data("allow", "http server location limit-except", [client], repeatable),
  data("deny", "http server location limit-except", [client], repeatable),
  data("valid_referers", "server location", [many(text)], repeatable),
  idle("referer_hash_max_size", "server location", [number()]),
  idle("referer_hash_bucket_size", "server location", [number()]),
  never.realip("set_real_ip_from", everywhere, [text], repeatable),
  never.realip("real_ip_header", everywhere, [text]),
  never.realip("real_ip_recursive", everywhere, [flag]),
  data("auth_request", everywhere, [text]),
  data("auth_request_set", everywhere, [variable, template], repeatable),
  typed("secure_link", everywhere, [template]),
  typed("secure_link_md5", everywhere, [template]),
  typed("secure_link_secret", everywhere, [text]),
]
