// A time in the form in which queries take it.

export const instant = (ms: number): string => new Date(ms).toISOString()
