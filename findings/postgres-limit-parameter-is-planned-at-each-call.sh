#!/usr/bin/env bash
# Guess: a prepared statement gets one plan for all calls after five, and LIMIT $1 is as good as a LIMIT in the text.
# What happens: with LIMIT as a parameter it is planned at each call, because the plan for all calls assumes that a tenth
# of the rows is wanted, which looks dearer than each call's own plan. A parameter in WHERE does not prevent it.
# In the portal: server/rest/sql/level.ts writes the number into the statement.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm pkg set type=module >/dev/null
npm install --silent --save-exact @electric-sql/pglite@0.5.16 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite'

const database = await PGlite.create()
await database.exec(`
  create table leads (id integer primary key, name text);
  insert into leads select n, 'lead ' || n from generate_series(1, 5000) as n;
  analyze leads;
  prepare bound(bigint) as select * from leads order by id limit $1;
  prepare written(integer) as select * from leads where id > $1 order by id limit 20;`)
for (let call = 0; call < 20; call++) await database.exec('execute bound(20); execute written(0)')
const { rows } = await database.query(
  'select name, generic_plans, custom_plans from pg_prepared_statements order by name',
)
const { rows: about } = await database.query('select version()')
console.log(about[0].version.split(' (')[0], rows)
const [bound, written] = rows
process.exitCode = bound.generic_plans === 0 && bound.custom_plans === 20 && written.generic_plans === 15 ? 0 : 1
JS
node look.mjs
