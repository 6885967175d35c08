// nginx's module headers-more, which ingress-nginx has: tests hold what wick does with headers against it.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "./paths.ts"

/** Path of the module; it is fetched when it is not there. */
export async function headersMore(): Promise<string> {
  await promisify(execFile)(join(root, "build/headers-more.sh"))
  return join(root, "out/nginx/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so")
}
