# The garden in a container: not root, nothing writable but /data.
#   docker build -t practice-garden . && docker run -p 8080:8080 -v garden:/data practice-garden
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /garden
COPY package.json package-lock.json .npmrc ./
# Without the optional packages: they bring Node, which the image has.
RUN npm ci --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATABASE_URL=sqlite:/data/garden.db BACKUP_DIR=/data/backups
WORKDIR /garden
COPY --from=packages /garden/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY src src
COPY docs docs
# The command line: docker exec … garden member create ada.
RUN mkdir -p /data node_modules/.cache/garden && chown node:node /data node_modules/.cache/garden && \
  ln -s /garden/bin/garden /usr/local/bin/garden
USER node
# Started once, for the compiled code that it keeps: later nothing here is writable, and a start would take twice as long.
RUN DATABASE_URL=sqlite:/tmp/garden.db timeout --preserve-status 10 node bin/garden serve && rm -r /tmp/garden.db*
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + new URL(process.env.BASE_URL || 'http://x').pathname.replace(/\\/$/, '') + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node itself as process 1: npm would swallow the signal to stop.
CMD ["node", "bin/garden", "serve"]
