#!/usr/bin/env bash
# Guess: `npm install --omit=dev NAME` installs NAME, since it is named, and leaves out the other development packages.
# What happens: a package that package.json has among its development packages is left out even when it is named; npm
# ends with 0 and says that all is up to date.
# In the portal: a first start gets its build tools by a smaller lockfile (server/ops/cli/install.mjs), not by names.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "devDependencies": { "picocolors": "1.1.1", "mri": "1.2.0" } }' >package.json
npm install --silent --package-lock-only || exit 2
echo "npm $(npm --version)"
npm install --no-save --omit=dev picocolors@1.1.1
echo "of the package that was named: $(ls node_modules/picocolors 2>/dev/null | wc -l) files"
[ ! -e node_modules/picocolors ]
