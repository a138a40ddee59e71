# The gateway alone: Redis runs in another container, or is yours (compose.yaml has one).
# Build: docker build -t alert-gateway .

ARG NODE_VERSION=22

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Install scripts of packages are off: none is needed.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY config ./config
COPY queues ./queues
COPY src ./src
# tsc's cache for the next build is of no use here.
RUN npm run build && rm dist/.tsbuildinfo

FROM node:${NODE_VERSION}-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:${NODE_VERSION}-bookworm-slim
LABEL org.opencontainers.image.title="alert-gateway" \
      org.opencontainers.image.description="Turns a charting platform's alert, or an API call, into exactly one right futures order" \
      org.opencontainers.image.version="0.1.0"
# HOST: every network of the container; published ports decide who can reach it from outside.
# DATA_DIR: without Redis data if REDIS_URL names a Redis.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
WORKDIR /app
RUN install -d -o 1000 -g 1000 -m 700 /data
# Owned by root: the gateway cannot change its own program.
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The runbook, as Prometheus serves it too.
COPY grafana/prometheus/consoles ./grafana/prometheus/consoles
VOLUME ["/data"]
EXPOSE 8080
USER 1000:1000
# Checks that the process answers. An unreachable broker or Redis is no reason to restart it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPERATIONS_PORT || process.env.PORT) + '/healthz', { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The base image's entry point is a shell script, and nothing here needs a shell. SIGTERM ends it in
# order: give it longer than twice SHUTDOWN_SECONDS, and an init (docker run --init).
ENTRYPOINT []
# What is young is collected once in about a second under load, when most of it is gone: V8's default
# of 16 MB copies what is still under way several times.
CMD ["node", "--max-semi-space-size=64", "--no-allocation-site-pretenuring", "--enable-source-maps", "dist/src/main.js"]
