import { dirname, join } from "node:path"
import { nginxBinary } from "./paths.ts"

/** nginx's stream module, from the package beside nginx's own (build/nginx.sh). */
export const streamModule = join(dirname(nginxBinary), "../lib/nginx/modules/ngx_stream_module.so")
