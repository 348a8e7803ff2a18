#!/usr/bin/env bash
# Guess: an index on (x is null) serves both halves of a table, asked for by `= true` and by `= false`.
# What happens: only the first. `(x is null) = false` becomes `x is not null` before the index is looked for, so all rows
# of that half are read and sorted. Sorting by the index's own expressions serves both halves.
# In the portal: portal.take_import_rows sorts by (key is null), place instead of comparing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --save-exact @electric-sql/pglite@0.5.16 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite'

const db = new PGlite()
const { rows } = await db.query('show server_version')
console.log(`PGlite 0.5.16, PostgreSQL ${rows[0].server_version}`)
await db.exec(`
  create table leads (phone text, place integer);
  insert into leads select case when n % 2 = 0 then n::text end, n from generate_series(1, 20000) n;
  create index leads_waiting on leads ((phone is null), place);
  analyze leads`)
const reads = async (rest) => {
  const { rows } = await db.query(`explain (analyze, format json) select place from leads ${rest} limit 10`)
  const plan = rows[0]['QUERY PLAN'][0].Plan
  const scan = (node) => (node.Plans ? scan(node.Plans[0]) : node)
  const { 'Node Type': type, 'Actual Rows': read } = scan(plan)
  console.log(`${rest}: ${type}, ${read} rows read`)
  return Number(read)
}
const half = await reads('where (phone is null) = true order by place')
const otherHalf = await reads('where (phone is null) = false order by place')
const sorted = await reads('order by (phone is null), place')
await db.close()
process.exitCode = half === 10 && otherHalf > 1000 && sorted === 10 ? 0 : 1
JS
node look.mjs
