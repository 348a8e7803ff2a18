// Builds the portal for tests of whole processes and for stories, once for the same sources.
import { setUp } from '#server/ops/cli/setup.mjs'

await setUp({ isBuildWanted: true })
