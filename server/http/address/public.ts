// Which addresses of webhooks, feeds and push services are allowed: none that leads into the portal's own network.
import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const inner = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(network, prefix, 'ipv4')

/**
 * Only 2000::/3 is public; within it, ranges that embed IPv4 addresses or are for documentation are excluded.
 */
const world = new BlockList()
world.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  inner.addSubnet(network, prefix, 'ipv6')

/** Tells whether an IP address is public. */
export function isPublicIp(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !inner.check(address, 'ipv4')
  return family === 6 && world.check(address, 'ipv6') && !inner.check(address, 'ipv6')
}

const LOOPBACK = /^(127\.0\.0\.1|localhost)$/

/** Tells whether a push service's address is allowed, before its name is resolved. */
export function mayBePushService(endpoint: string, allowsLoopback: boolean): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, username, password } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  if (allowsLoopback && LOOPBACK.test(hostname)) return true
  // A name without a dot is local; an address in brackets is IPv6.
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'https:' && (isIP(host) ? isPublicIp(host) : hostname.includes('.'))
}

/**
 * Whether an address is allowed, before its name is resolved. `privateHosts`: names that may be private and
 * without TLS.
 */
export function mayBeNotified(url: string, privateHosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  if (privateHosts.includes(hostname)) return protocol === 'https:' || protocol === 'http:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'https:' && (isIP(host) ? isPublicIp(host) : hostname.includes('.'))
}

/**
 * Resolves a name and refuses it if any address is not public. It runs while connecting, so that the answer
 * cannot change afterwards.
 */
export function publicLookup(lookup: typeof systemLookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const [first] = addresses
      if (!first || addresses.some(({ address }) => !isPublicIp(address)))
        return callback(Object.assign(new Error('not a public address'), { code: 'EPRIVATE' }), [])
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
