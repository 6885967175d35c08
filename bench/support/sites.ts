// Configurations that do the same thing in different ways: pass a request for one host on to ten endpoints in turn, over
// kept connections. What differs is who finds the location and who chooses the endpoint.
import type { WriteConf } from "../../test/support/nginx.ts"
import { balancerFile } from "../../test/support/paths.ts"

export const hostName = "shop.test"

/**
 * `static`: stock nginx, server_name, location and upstream block. `modules`: the same with our two modules loaded and
 * not used. `route`: ingress_route finds the location, the upstream block chooses. `wick`: the route and the Wasm filter.
 */
export type Way = "static" | "modules" | "route" | "wick"

/** Ten ports answer with a small body; workers: 1. */
export const endpointsConf: WriteConf = ({ ports }) => ({
  http: `
keepalive_requests 1000000000;
server {
${ports.map((port) => `  listen 127.0.0.1:${port};`).join("\n")}
  location / { return 200 "hello from one of ten endpoints\\n"; }
}`,
})

/** @param single runs everything in one process, for valgrind */
export function proxyConf(way: Way, endpoints: readonly number[], single = false): WriteConf {
  return ({ port, socket, modules }) => ({
    main: `${single ? "master_process off;" : ""}
${way === "static" ? "" : modulesBlock(modules)}`,
    http: `
keepalive_requests 1000000000;
upstream upstream_balancer {
${way === "wick" ? "  server 0.0.0.1;\n  wasm_upstream_select key=$proxy_upstream_name fallback=backends/$proxy_upstream_name;" : servers(endpoints)}
  keepalive 320;
  keepalive_requests 1000000000;
}
${way === "static" ? "" : controlServer(socket)}
${way === "route" || way === "wick" ? routedServer(port, way) : staticServer(port)}`,
  })
}

function modulesBlock(modules: string): string {
  return `load_module ${modules}/ngx_http_wasm_module.so;
load_module ${modules}/ngx_http_ingress_module.so;
wasm {
  module balancer ${balancerFile};
  shm_kv backends 64m;
  shm_kv routes 32m;
}`
}

const servers = (endpoints: readonly number[]) =>
  endpoints.map((port) => `  server 127.0.0.1:${port};`).join("\n")

const proxy = `
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Real-IP $remote_addr;
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries 3;
    proxy_pass http://upstream_balancer;`

function controlServer(socket: string): string {
  return `server {
  listen unix:${socket};
  client_max_body_size 1m;
  client_body_buffer_size 1m;
  location = /plain { return 200; }
  location /configuration {
    proxy_wasm balancer 'role=control';
    return 404;
  }
}`
}

// The first server is the default one; with the second one nginx has to look at the host, as the route has to.
function staticServer(port: number): string {
  return `server {
  listen 127.0.0.1:${port};
  return 404;
}
server {
  listen 127.0.0.1:${port};
  server_name ${hostName};
  location = /plain { return 200; }
  location / {${proxy}
  }
}`
}

function routedServer(port: number, way: Way): string {
  return `server {
  listen 127.0.0.1:${port};
  location = /plain { return 200; }
  location / {
    ingress_route routes;
    client_max_body_size 0;
  }
  location @policy-plain {
    ${way === "wick" ? "proxy_wasm balancer;" : ""}${proxy}
  }
}`
}
