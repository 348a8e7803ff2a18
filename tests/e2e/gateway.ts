// Stories of a portal over a gateway that the test steers and that may fail.
import { NO_NETWORK, overGateway, REFUSED } from '#tests/support/browser/story.ts'

export const test = overGateway

/** The browser reports what the gateway refuses, and this status. */
export const gatewayMayFail = (status: RegExp) => ({
  expectedNoise: { patterns: [REFUSED, NO_NETWORK, status] },
})
