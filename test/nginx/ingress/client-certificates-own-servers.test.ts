// Whom a handshake stands for, where some hosts have server blocks of their own: the same answers. Handshakes begin in the first block, and nginx goes
// to another one by the server name, and by the Host header again.
import { staticTls } from "../../../harness/ingress/ingress.ts"
import { clientsOfHosts } from "./support/clients-of-hosts.ts"

const own = ["on.test plain.test", "other.test", "~^[^.]+\\.wild\\.test$", "first.test changing.test"]

clientsOfHosts({
  more: ({ port, ports: [, tlsPort] }) =>
    own
      .map(
        (names) => `
server {
  listen 127.0.0.1:${port};
  listen 127.0.0.1:${tlsPort} ssl http2;
  server_name ${names};
  ${staticTls}
  ssl_session_cache shared:tests:1m; ssl_session_tickets off;
  ingress_certificates certificates;
  location / { client_max_body_size 0; ingress_route routes locations=_; }
}`,
      )
      .join(""),
})
