// Where a portal is found on its own machine, as an address to open.

export const localAddress = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
