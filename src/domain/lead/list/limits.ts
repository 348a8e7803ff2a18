// How much one import takes, at the screen and at the portal.

export const MOST_ROWS = 50_000
