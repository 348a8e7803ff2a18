// Limits of one import, for the screen and the portal.

export const MOST_ROWS = 50_000
