# wick's image. `docker build .` makes it; build/image.sh makes it where there is no registry. docs/image.md says what is in it and why.
#
#   VARIANT   slim, or full: with libmodsecurity and the OWASP Core Rule Set
#   REVISION  the commit, for labels and `wick --version`
ARG VARIANT=slim
ARG DEBIAN=debian:trixie-slim
ARG RUST=rust:1.95-slim-trixie
ARG NODE=node:24-trixie-slim
ARG GO=golang:1-trixie

# nginx's modules, for exactly the nginx that the last stage installs; and the launcher.
FROM ${RUST} AS native
WORKDIR /wick
COPY build/lib.sh build/versions.env build/packages.sh build/nginx.sh build/
RUN build/packages.sh && build/nginx.sh
COPY build/cargo-env.sh build/cargo-progress.sh build/modules.sh build/
COPY nginx nginx
# Without the note of the checkout all crates of our own are built again: cargo would go by the files' times, which say nothing here.
RUN --mount=type=cache,target=/var/cache/wick \
    export WICK_CACHE=/var/cache/wick && rm -f /var/cache/wick/target/checkout && build/modules.sh
COPY build/launcher.sh build/
COPY launcher launcher
RUN --mount=type=cache,target=/var/cache/wick WICK_CACHE=/var/cache/wick build/launcher.sh

# Everything of npm, for what compiles.
FROM ${NODE} AS packages
WORKDIR /wick
COPY package.json package-lock.json ./
COPY build/lib.sh build/versions.env build/node build/node-modules.sh build/
RUN build/node-modules.sh

# The filter.
FROM packages AS filter
COPY build/balancer.sh build/
COPY balancer-as balancer-as
COPY policy-as/assembly/lib policy-as/assembly/lib
RUN build/balancer.sh

# The controller and its page as JavaScript.
FROM packages AS javascript
COPY build/javascript.ts build/
COPY controller controller
COPY cli cli
COPY ui ui
RUN build/node --no-warnings build/javascript.ts javascript

# What the controller runs with: Node, and packages without what only people and compilers read.
FROM ${NODE} AS runner
WORKDIR /wick
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
 && mv node_modules/node-linux-*/bin/node node \
 && rm -r node_modules/node-linux-* node_modules/.bin \
 && find node_modules -type f \( -name '*.ts' -o -name '*.map' -o -name '*.md' ! -iname 'licen[cs]e*' -o -name tsconfig.json \) -delete
COPY nginx/templates nginx/templates

FROM native AS stripped
COPY --from=runner /wick/node node
RUN strip node

# What libmodsecurity reads, if it is there.
FROM ${DEBIAN} AS rules-slim
RUN mkdir -p /files/etc/wick
FROM ${GO} AS rules-full
WORKDIR /wick
COPY build/lib.sh build/versions.env build/modsecurity.sh build/
COPY nginx/modsecurity nginx/modsecurity
RUN build/modsecurity.sh rules && mkdir -p /files/etc/wick && cp -r out/modsecurity /files/etc/wick/
FROM rules-${VARIANT} AS rules

FROM ${DEBIAN} AS runtime
ARG VARIANT
COPY --from=native /wick/out/launcher /nginx-ingress-controller
# The same without that right, for Jobs that drop all capabilities: the kernel starts no file that asks for one of those.
COPY --from=native /wick/out/launcher /kube-webhook-certgen
# dumb-init and the launcher carry the right to listen on low ports; the launcher hands it on to Node and nginx, whose files need none.
RUN set -eu; \
    packages="nginx libnginx-mod-stream libnginx-mod-http-headers-more-filter libnginx-mod-http-brotli-filter libnginx-mod-http-brotli-static"; \
    packages="$packages ca-certificates dumb-init procps tzdata"; \
    case $VARIANT in \
      slim) ;; \
      full) packages="$packages libmodsecurity3t64" ;; \
      *) echo "VARIANT is slim or full, not '$VARIANT'" >&2; exit 1 ;; \
    esac; \
    export DEBIAN_FRONTEND=noninteractive; \
    apt-get update; \
    apt-get install -y --no-install-recommends $packages libcap2-bin; \
    setcap cap_net_bind_service=+ep /usr/bin/dumb-init; \
    setcap cap_net_bind_service=+ep /nginx-ingress-controller; \
    groupadd --gid 82 wick; \
    useradd --uid 101 --gid 82 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin wick; \
    install -d -o 101 -g 82 /etc/ingress-controller /etc/ingress-controller/geoip; \
    ln -s nginx-ingress-controller /wait-shutdown; \
    ln -s nginx-ingress-controller /dbg; \
    ln -s /nginx-ingress-controller /usr/local/bin/wick; \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/cache/ldconfig/* /var/log/* /tmp/* /etc/passwd- /etc/shadow- /etc/group- /etc/gshadow-
COPY --from=stripped /wick/node /usr/local/lib/wick/node
COPY --from=runner /wick/node_modules /usr/local/lib/wick/node_modules
COPY --from=native /wick/out/modules /usr/lib/nginx/modules
COPY --from=rules /files /
COPY --from=filter /wick/out/balancer.wasm /etc/wick/balancer.wasm
COPY --from=runner /wick/package.json /usr/local/lib/wick/package.json
COPY --from=runner /wick/nginx /usr/local/lib/wick/nginx
COPY --from=javascript /wick/javascript /usr/local/lib/wick

ARG VERSION=0.1.0
ARG REVISION=unknown
# buildah takes what follows from its cache whatever the arguments are, but for a RUN.
RUN : "${VERSION} ${REVISION}"
ENV WICK_COMMIT=${REVISION}
LABEL org.opencontainers.image.title="wick" \
      org.opencontainers.image.description="Ingress controller for Kubernetes: nginx, with routes, endpoints and certificates as data" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.vendor="wick" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
USER 101:82
WORKDIR /etc/nginx
EXPOSE 80 443
ENTRYPOINT ["/usr/bin/dumb-init", "--"]
CMD ["/nginx-ingress-controller"]
