// A time as a query takes it.

export const instant = (ms: number): string => new Date(ms).toISOString()
