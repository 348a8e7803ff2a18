#!/usr/bin/env bash
# Guess: projects of one vitest run may each set their own maxWorkers, as each sets its own pool and setup files.
# What happens: 1 beside 3 runs, 2 beside 3 ends the run with an error before any test. Each project alone runs.
# In the portal: tests/vitest.config.ts gives all projects of `npm test` one number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm pkg set type=module >/dev/null
npm install --silent --save-exact vitest@4.1.12 >/dev/null || exit 2
for name in first second; do
  echo "import { expect, test } from 'vitest'; test('$name', () => expect(1).toBe(1))" >"$name.test.js"
done
cat >vitest.config.js <<'JS'
import { defineConfig } from 'vitest/config'

const workersOf = { first: Number(process.env.FIRST), second: 3 }
const projects = Object.entries(workersOf).map(([name, maxWorkers]) => ({
  test: { name, include: [`${name}.test.js`], maxWorkers },
}))
export default defineConfig({ test: { projects } })
JS
vitest=$(node -p "require('./node_modules/vitest/package.json').version")
echo "vitest $vitest"
isSame=1
# $1: workers of the first project; $2: the projects that run; $3: what is awaited
look() {
  local said passed
  said=$(NO_COLOR=1 FIRST=$1 npx vitest run $2 2>&1 || true)
  passed=$(grep -oE 'Tests +([0-9]+ passed|no tests)' <<<"$said" | tr -s ' ' || true)
  echo "first $1 workers, second 3, run ${2:-both}: $passed$(grep -o "Projects .* have different.*" <<<"$said" | head -1 | sed 's/^/ · /')"
  [[ $passed == "$3" ]] || isSame=0
}
look 3 '' 'Tests 2 passed'
look 1 '' 'Tests 2 passed'
look 2 '' 'Tests no tests'
look 2 --project=first 'Tests 1 passed'
look 2 --project=second 'Tests 1 passed'
((isSame)) || exit 1
