// Reads a Postgres address in libpq's form, which may name several servers. node-postgres knows one server an address,
// so each gets its own.
import { PortalError } from '#domain/errors.ts'
import type { ServerAddress, Wanted } from './hosts.ts'

export type ShownAddress = ServerAddress & {
  /** The servers as people may read them, such as `h1:5432,h2:5433/portal`: without user and password. */
  shown: string
}

const ADDRESS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const HOST = /^(\[[\da-f:.]+(?:%25[\w.-]+)?\]|[^:[\]]*)(?::(\d*))?$/i
const DEFAULT_PORT = '5432'
const WANTED: readonly string[] = ['any', 'read-write', 'primary']
const READERS = ['read-only', 'standby', 'prefer-standby']
/** Parameters that the portal removes from the addresses, because node-postgres would read them differently. */
const OURS = ['host', 'port', 'target_session_attrs', 'load_balance_hosts']

/**
 * A replica may be any server. Raises `database.address`. The message leaves the address out, because it holds a
 * password.
 */
export function readAddress(given: string, { isReplica = false } = {}): ShownAddress {
  const [, signIn, authority = '', database = '', search = ''] = ADDRESS.exec(given) ?? []
  if (!ADDRESS.test(given))
    throw fault(
      'deve ser postgres://usuario:senha@servidor/banco; na senha, / ? # e % são escritos %2F %3F %23 e %25',
    )
  if (![signIn ?? '', authority, database].every(isDecodable))
    throw fault('tem um % solto: na senha, % é escrito %25')
  const parameters = new URLSearchParams(search)
  const hosts = hostsOf(authority, parameters)
  const asked = parameters.get('target_session_attrs')
  const wanted = isReplica ? 'any' : wantedOf(asked, hosts.length)
  for (const name of OURS) parameters.delete(name)
  // Reads `sslmode` as the instructions of all providers mean it: `require` encrypts, `verify-full` also proves the
  // server.
  parameters.set('uselibpqcompat', 'true')
  const before = signIn === undefined ? '' : `${signIn}@`
  const urls = hosts.map(
    ({ host, port }) => `postgres://${before}${writeHost(host)}:${port}/${database}?${parameters.toString()}`,
  )
  if (!urls.every((url) => URL.canParse(url))) throw fault('tem um nome de servidor que não é válido')
  const shown = `${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`
  return { urls: [...new Set(urls)], wanted, shown }
}

function hostsOf(authority: string, parameters: URLSearchParams) {
  const named = parameters.get('host')
  const parts = (named ?? authority).split(',').map((text) => partsOf(text, named !== null))
  const ports = parameters.get('port')?.split(',') ?? []
  if (ports.length > 1 && ports.length !== parts.length)
    throw fault(`tem ${ports.length} portas para ${parts.length} servidores`)
  return parts.map(({ host, port }, at) => {
    const chosen = port || (ports.length === 1 ? ports[0] : ports[at]) || DEFAULT_PORT
    if (!/^\d{1,5}$/.test(chosen) || Number(chosen) < 1 || Number(chosen) > 65_535)
      throw fault(`tem uma porta que não existe: ${chosen}`)
    return { host: host || 'localhost', port: chosen }
  })
}

/** `host=` may hold an IPv6 address without brackets, or the folder of a socket. */
function partsOf(text: string, isParameter: boolean): { host: string; port?: string | undefined } {
  if (isParameter && (text.startsWith('/') || /:.*:/.test(text)))
    return { host: text.startsWith('/') || text.startsWith('[') ? text : `[${text}]` }
  const [, host, port] = HOST.exec(text) ?? []
  if (host === undefined) throw fault('tem um nome de servidor que não é válido')
  return { host, port }
}

const writeHost = (host: string) => (host.startsWith('/') ? encodeURIComponent(host) : host)

function wantedOf(given: string | null, servers: number): Wanted {
  if (given === null) return servers > 1 ? 'read-write' : 'any'
  if (WANTED.includes(given)) return given as Wanted
  throw fault(
    READERS.includes(given)
      ? `pede um servidor só de leitura (target_session_attrs=${given}); o portal grava: use read-write`
      : 'tem um target_session_attrs que não existe: use any, read-write ou primary',
  )
}

function isDecodable(text: string): boolean {
  try {
    return Boolean(decodeURIComponent(text) || true)
  } catch {
    return false
  }
}

const fault = (message: string) => new PortalError('database.address', message)
