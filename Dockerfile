# The garden in a container: not root, nothing writable but /data, and no shell, no npm and no package manager in it.
#   docker build -t practice-garden . && docker run -p 8080:8080 -v garden:/data practice-garden
ARG BASE=node:24.21.0-bookworm-slim
FROM ${BASE} AS made
WORKDIR /garden
COPY package.json package-lock.json .npmrc ./
# Without the optional packages: they bring Node, which the image has. Then without the parts of packages that no program reads:
# types, source maps, the source of SQLite and its builds for other systems.
RUN npm ci --omit=dev --omit=optional && cd node_modules && \
  find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete && \
  rm -r better-sqlite3/deps better-sqlite3/src && \
  case $(uname -m) in aarch64) other=x64 ;; *) other=arm64 ;; esac && \
  rm better-sqlite3/prebuilds/darwin-* better-sqlite3/prebuilds/win32-* better-sqlite3/prebuilds/linuxmusl-* \
    better-sqlite3/prebuilds/linux-$other.node && \
  mkdir -p .cache/garden && chown node:node .cache/garden
COPY LICENSE ./
COPY bin bin
COPY src src
COPY docs docs
# Only the pictures that documents show.
RUN grep -oh 'pictures/[a-zA-Z0-9-]*\.png' docs/*.md | sort -u > /tmp/shown && \
  for picture in docs/pictures/*; do grep -qx "${picture#docs/}" /tmp/shown || rm "$picture"; done
# Started once, for the compiled code that it keeps: later nothing here is writable, and a start would take twice as long.
USER node
# A build for another processor is emulated, so the start may take minutes.
RUN export DATABASE_URL=sqlite:/tmp/garden.db && { node bin/garden serve > /tmp/started & } && \
  until grep -q '^listening' /tmp/started; do sleep 1; kill -0 $! || exit 1; done && \
  sleep 5 && kill $! && wait $! && rm -r /tmp/started /tmp/garden.db*
USER root
# Node, the libraries that it and SQLite load, and env, by which the command line finds Node. The compiled code is only read.
RUN chown -R root:root node_modules/.cache && \
  mkdir -p /image/data /image/usr/local/bin /image/etc && mkdir -m 1777 /image/tmp && chown node:node /image/data && \
  ldd /usr/local/bin/node /usr/bin/env node_modules/better-sqlite3/prebuilds/*.node | \
    grep -o '/lib[^ :)]*' | sort -u | xargs cp --parents --dereference --target-directory=/image && \
  cp --parents /usr/local/bin/node /usr/bin/env /image && \
  ln -s /garden/bin/garden /image/usr/local/bin/garden && \
  grep -E '^(root|node):' /etc/passwd > /image/etc/passwd && grep -E '^(root|node):' /etc/group > /image/etc/group && \
  echo 'hosts: files dns' > /image/etc/nsswitch.conf

FROM scratch
ENV PATH=/usr/local/bin:/usr/bin NODE_ENV=production HOST=0.0.0.0 DATABASE_URL=sqlite:/data/garden.db BACKUP_DIR=/data/backups
WORKDIR /garden
COPY --from=made /image /
COPY --from=made /garden /garden
COPY --from=made --chown=node:node /image/data /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + new URL(process.env.BASE_URL || 'http://x').pathname.replace(/\\/$/, '') + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node itself as process 1: npm would swallow the signal to stop.
CMD ["node", "bin/garden", "serve"]
