// The client address that the throttle counts by.
import { BlockList, isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What Hono passes from the Node server; empty if a test calls the routes directly. */
export type Bindings = Partial<HttpBindings>

const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6')

/**
 * The client's network: an IPv4 address, the /64 of an IPv6 one, or `local` without a connection. A forwarded
 * header counts only with PUBLIC_URL and from a private peer, and only its last entry, because the client can
 * write the others.
 */
export function clientAddress(context: Context<{ Bindings: Bindings }>, hasPublicUrl: boolean): string {
  const peer = toAddress(context.env.incoming?.socket.remoteAddress ?? '')
  if (peer === null) return 'local'
  const forwarded = context.req.header('x-forwarded-for')?.split(',').at(-1)
  const client = hasPublicUrl && forwarded !== undefined && isPrivate(peer) ? toAddress(forwarded) : null
  return networkOf(client ?? peer)
}

const isPrivate = (address: string) => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

const MAPPED = /^::ffff:([\da-f]+):([\da-f]+)$/

/**
 * The canonical address, without port, brackets or zone, and IPv4-mapped addresses as IPv4; null for anything
 * else.
 */
function toAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
  if (isIP(bare) !== 6) return isIP(bare) === 0 ? null : bare
  // Uses the URL parser, because it writes every address in one form.
  const spelled = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = MAPPED.exec(spelled)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16))
  return mapped ? mapped.flatMap((part) => [part >> 8, part & 255]).join('.') : spelled
}

/** A household or a server usually has a whole IPv6 /64. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const middle = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...middle, ...last].slice(0, 4).join(':')}::/64`
}
