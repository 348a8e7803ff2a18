// Limits of one import, for the screen and the portal.

export const MAX_ROWS = 50_000
