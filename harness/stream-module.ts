import { join } from "node:path"
import { stockModulesDir } from "./paths.ts"

/** nginx's stream module, from the package beside nginx's own (build/nginx.sh). */
export const streamModule = join(stockModulesDir, "ngx_stream_module.so")
