// Chooses which of several servers to connect to.

/** Which servers the portal accepts: every one, those that take writes, or those that are no standby. */
export type Wanted = 'any' | 'read-write' | 'primary'

export type ServerAddress = {
  /** One address for each server in the given order, in the form that node-postgres reads. */
  urls: readonly string[]
  wanted: Wanted
}

export type Hosts = {
  count: number
  /** All servers, beginning with the current one. */
  inTurn: () => string[]
  /** The server to connect to, until somebody leaves it. */
  current: () => string
  /** Moves on to the next server, unless another caller has moved on already. */
  leave: (url: string) => void
  /** Called with the address of a server that a caller found to be the wanted one. */
  prefer: (url: string) => void
}

export function createHosts({ urls }: ServerAddress): Hosts {
  let at = 0
  return {
    count: urls.length,
    inTurn: () => [...urls.slice(at), ...urls.slice(0, at)],
    current: () => urls[at] ?? '',
    leave: (url) => {
      if (urls[at] === url) at = (at + 1) % urls.length
    },
    prefer: (url) => {
      at = Math.max(0, urls.indexOf(url))
    },
  }
}
