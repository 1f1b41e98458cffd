# The service as an image: Node 24, production dependencies, and nothing that it may write to but /srv/data.
# test/container/ does all this without an engine, line by line.
FROM node:24-slim AS build
WORKDIR /srv/service
COPY package.json package-lock.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/mock/package.json packages/mock/
COPY packages/webhooks/package.json packages/webhooks/
COPY packages/traffic/package.json packages/traffic/
COPY packages/stubwright/package.json packages/stubwright/
COPY packages/service/package.json packages/service/
COPY packages/store/package.json packages/store/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
COPY generated generated
COPY src src
COPY package.json compatibility.yaml* ./
COPY packages/contract/src packages/contract/src
COPY packages/mock/src packages/mock/src
COPY packages/webhooks/src packages/webhooks/src
COPY packages/traffic/src packages/traffic/src
COPY packages/stubwright/src packages/stubwright/src
COPY packages/service/src packages/service/src
COPY packages/store/src packages/store/src
RUN install -d -o 1000 -g 1000 /srv/data

FROM node:24-slim
WORKDIR /srv/service
COPY --from=build /srv/service ./
# For DATABASE_URL=sqlite:/srv/data/plants.db on a volume; there is no default, so that nobody keeps
# plants in a container by accident.
COPY --from=build --chown=1000:1000 /srv/data /srv/data
ENV NODE_ENV=production MALLOC_TRIM_THRESHOLD_=131072
ENV HOST=0.0.0.0 PORT=3000 ADMIN_HOST=0.0.0.0 ADMIN_PORT=9000
USER 1000:1000
EXPOSE 3000 9000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The flags of docs/plant-store/operations.md, with more room for young objects: with hundreds of requests
# waiting for a database, a create costs a third less CPU for 40 MiB more.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=32", "--heap-growing-percent=10", "src/main.ts"]
