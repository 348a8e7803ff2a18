// Fixtures for stories of a portal whose gateway the test controls and lets fail.
import { NO_NETWORK, overGateway, REFUSED } from '#tests/support/browser/story.ts'

export const test = overGateway

/** Allows the browser's error messages about refusals of the gateway and about this status. */
export const gatewayMayFail = (status: RegExp) => ({
  expectedNoise: { patterns: [REFUSED, NO_NETWORK, status] },
})
