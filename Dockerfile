# The service without the embedded database: give it DATABASE_URL and MASTER_KEY (docs/operating.md).
ARG BUN_VERSION=1.4.4

FROM oven/bun:${BUN_VERSION}-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN ["bun", "install", "--frozen-lockfile", "--production", "--omit=optional", "--ignore-scripts"]

# The service as a bundle, the pages, and the documentation's site with the client that it offers
FROM oven/bun:${BUN_VERSION}-slim AS build
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN ["bun", "install", "--frozen-lockfile", "--ignore-scripts"]
COPY tsconfig.json LICENSE CHANGELOG.md ./
COPY src ./src
COPY script ./script
COPY clients ./clients
COPY docs ./docs
# docker build --build-arg BUILD_COMMIT=$(git rev-parse HEAD) .
ARG BUILD_COMMIT
ENV BUILD_COMMIT=$BUILD_COMMIT
RUN ["bun", "--no-install", "script/build.ts"]

FROM oven/bun:${BUN_VERSION}-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json bunfig.toml LICENSE ./
COPY --from=build /app/dist ./dist
RUN ["install", "--directory", "--owner=1000", "--group=1000", "--mode=0700", "/data"]
# Nothing is written but below DATA_DIR, so that the rest may be mounted read-only
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    LOG_FORMAT=json \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["bun", "--no-install", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bun", "--no-install"]
CMD ["dist/main.js"]
