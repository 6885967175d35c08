import { join } from "node:path"

/** The checkout. */
export const root = join(import.meta.dirname, "..")

/** Stock nginx from Debian's package, unpacked by build/nginx.sh; or what runs it otherwise (test/memory). */
export const nginxBinary = process.env.WICK_TEST_NGINX ?? join(root, "out/nginx/usr/sbin/nginx")

/** Folder of the modules of nginx's own packages. */
export const stockModulesDir = join(root, "out/nginx/usr/lib/nginx/modules")

/** Folder of our two modules (build/modules.sh). */
export const modulesDir = join(root, "out/modules")

/** The release filter (build/balancer.sh). */
export const balancerFile = join(root, "out/balancer.wasm")

/** The pinned Node. */
export const nodeBinary = join(root, "build/node")

/** Facts about ingress-nginx and Ingresses of others, kept beside the project and no part of it: tests that read them are left out without. */
export const shared = process.env.WICK_SHARED ?? join(root, "../shared")
