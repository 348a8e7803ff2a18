#!/usr/bin/env bash
# Guess: vitest's breakdown of import durations lists each import once, so its total says what loading took.
# What happens: with `isolate: false` each file's list also holds what earlier files of its worker loaded. One slow
# module of 300 ms, loaded once, is listed once a file, and fills the whole 'top' list under the first file's name.
# In the portal: 33 minutes of imports were printed for a run of three minutes. A
# reporter that prints each file's own time tells the truth.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm pkg set type=module >/dev/null
npm install --silent --save-exact vitest@4.1.12 >/dev/null || exit 2
cat >slow.js <<'JS'
await new Promise((resolve) => setTimeout(resolve, 300))
globalThis.loads = (globalThis.loads ?? 0) + 1
export const loads = globalThis.loads
JS
for name in first second third; do
  echo "import { expect, test } from 'vitest'; import { loads } from './slow.js'; test('$name', () => expect(loads).toBe(1))" >"$name.test.js"
done
vitest=$(node -p "require('./node_modules/vitest/package.json').version")
echo "vitest $vitest"
isSame=1
# $1: whether files are isolated; $2: how often the breakdown should name one file at most
look() {
  local said most slow passed
  said=$(NO_COLOR=1 npx vitest run --isolate="$1" --maxWorkers=1 \
    --experimental.importDurations.print --experimental.importDurations.limit=20 2>&1)
  passed=$(grep -oE 'Tests +[0-9]+ passed' <<<"$said" | tr -s ' ')
  most=$(grep -oE '^[a-z]+\.test\.js' <<<"$said" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')
  slow=$(grep -c '↳ slow.js' <<<"$said")
  echo "isolate $1: $passed, slow.js is listed $slow times, one file up to $most times"
  [[ $passed == 'Tests 3 passed' && $most == "$2" ]] || isSame=0
}
look true 1
look false 3
((isSame)) || exit 1
