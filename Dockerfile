# Tenrec in a container. On its own it runs its embedded services and keeps everything in the volume /data:
#
#   docker build -t tenrec .
#   docker run --init -p 127.0.0.1:8000:8000 -v tenrec:/data tenrec
#
# With DATABASE_URL and CLICKHOUSE_URL it uses those instead; compose.yaml shows how.
# Debian, not Alpine: the embedded engines are built for glibc.

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The app is built below, where its sources are. The copy of Node that npm pins is for machines with an older one; this
# image has the right one already.
RUN npm pkg delete scripts.prepare && npm ci --omit=dev && rm -rf node_modules/node node_modules/.bin/node

FROM node:24-bookworm-slim
# PostgreSQL refuses to run as root, and nothing here needs to.
RUN mkdir --mode=700 /data && chown node:node /data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY src src
COPY scripts/build-web.ts scripts/build-web.ts
COPY web web
# Built once here: at run time the program could write it to its volume only.
RUN node scripts/build-web.ts
USER node

# Listening on every interface of the container; what reaches it is decided by the ports that are published.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 TENREC_DATA=/data
EXPOSE 8000
VOLUME /data

# The first start makes the databases, so it is given time before a failure counts.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/_readiness`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["node", "bin/tenrec.js"]
CMD ["start"]
