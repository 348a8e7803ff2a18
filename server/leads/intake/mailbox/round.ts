// One look into a mailbox (IMAP): what came since the last one is handed on, marked as read, and left where it is.
import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { ImapFlow } from 'imapflow'
import { isPublicIp, publicLookup } from '#server/http/address/public.ts'
import { type Mail, toBody } from '../mail/mail.ts'
import { readMime } from '../mail/mime.ts'

/**
 * `password`: the server refuses it; `address`: it stands in a private network; `folder`: there is none of that name; `late`:
 * not done in time; `connection`: all else. The first two wait for a person.
 */
export type RoundFault = 'password' | 'address' | 'folder' | 'late' | 'connection'

export class RoundError extends Error {
  override readonly name = 'RoundError'
  readonly fault: RoundFault

  constructor(fault: RoundFault, cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

export type Box = {
  host: string
  port: number
  username: string
  password: string
  folder: string
  /** Null before the first look. */
  uidValidity: string | null
  lastUid: number
  /** Of a folder that was made anew: mails of before are no leads. */
  sinceMs: number | null
}

export type Taken = { uidValidity: string; uid: number; hash: string | null; body: string | null }
type Steps = {
  /** The folder is numbered so from now on, and all up to this number is known. Answers since when its mails count. */
  begin: (uidValidity: string, lastUid: number) => Promise<number | null>
  /** Stores a mail and how far the look came, in one; a null body is passed over. */
  keep: (taken: Taken) => Promise<void>
}
export type Limits = { deadlineMs: number; silenceMs: number; mails: number }

export const LIMITS: Limits = { deadlineMs: 50_000, silenceMs: 20_000, mails: 100 }
/** Of one mail; a lead's is smaller, and the beginning of a larger one reads well. */
const MOST_BYTES = 256 * 1024
/** As portal.intake_raw takes it. */
const MOST_BODY_BYTES = 250_000
const TLS_PORT = 993
/** Between a server's clock and ours. */
const CLOCK_MS = 5 * 60_000

/** Raises RoundError. What was kept before stays kept, and the next look goes on from there. */
export async function lookInto(
  box: Box,
  steps: Steps,
  { privateHosts, limits = LIMITS }: { privateHosts: readonly string[]; limits?: Limits },
): Promise<number> {
  const isPrivate = privateHosts.includes(box.host)
  const client = new ImapFlow({
    host: isPrivate ? box.host : await publicAddress(box.host),
    servername: box.host,
    port: box.port,
    secure: box.port === TLS_PORT,
    // The password crosses no line in plain, except within the own network.
    ...(box.port !== TLS_PORT && { doSTARTTLS: !isPrivate }),
    auth: { user: box.username, pass: box.password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: limits.silenceMs,
    greetingTimeout: limits.silenceMs,
    socketTimeout: limits.silenceMs,
  })
  // A connection that breaks between two calls says so here alone.
  client.on('error', () => undefined)
  let isLate = false
  // A server that sends a byte now and then is silent for no timer of its own.
  const deadline = setTimeout(() => {
    isLate = true
    client.close()
  }, limits.deadlineMs)
  try {
    await client.connect()
    const count = await readNew(client, box, { steps, most: limits.mails })
    await client.logout().catch(() => undefined)
    return count
  } catch (error) {
    throw isLate ? new RoundError('late', error) : asFault(error)
  } finally {
    clearTimeout(deadline)
    client.close()
  }
}

async function readNew(
  client: ImapFlow,
  box: Box,
  { steps, most }: { steps: Steps; most: number },
): Promise<number> {
  const status = await client.status(box.folder, { uidNext: true, uidValidity: true })
  if (!status) throw new RoundError('connection')
  const { uidValidity } = await client.mailboxOpen(box.folder)
  const validity = String(uidValidity)
  let { lastUid: last, sinceMs } = box
  if (box.uidValidity === null) {
    if (status.uidNext === undefined) throw new RoundError('connection')
    // What lay there before is no lead of now.
    await steps.begin(validity, status.uidNext - 1)
    return 0
  }
  if (box.uidValidity !== validity) {
    last = 0
    sinceMs = await steps.begin(validity, last)
  }
  const found = await client.search({ uid: `${last + 1}:*` }, { uid: true })
  // Of a connection that was lost it is undefined.
  if (!Array.isArray(found)) throw new RoundError('connection')
  // A server answers with its last mail where there is none that high.
  const uids = found.filter((uid) => uid > last).toSorted((a, b) => a - b)
  for (const uid of uids.slice(0, most)) await takeOne(client, { uid, validity, sinceMs }, steps)
  return Math.min(uids.length, most)
}

type One = { uid: number; validity: string; sinceMs: number | null }

async function takeOne(client: ImapFlow, { uid, validity, sinceMs }: One, steps: Steps) {
  const pass = { uidValidity: validity, uid, hash: null, body: null }
  const head = await client.fetchOne(String(uid), { size: true, internalDate: true }, { uid: true })
  if (!client.usable) throw new RoundError('connection')
  // It was moved or deleted meanwhile.
  if (!head) return steps.keep(pass)
  const arrivedMs = head.internalDate === undefined ? NaN : new Date(head.internalDate).getTime()
  if (sinceMs !== null && arrivedMs < sinceMs - CLOCK_MS) return steps.keep(pass)
  const isLarge = (head.size ?? 0) > MOST_BYTES
  const whole = await client.fetchOne(
    String(uid),
    { source: isLarge ? { maxLength: MOST_BYTES } : true },
    { uid: true },
  )
  if (!client.usable) throw new RoundError('connection')
  if (!whole || whole.source === undefined) return steps.keep(pass)
  const mail = await readMime(whole.source)
  await steps.keep({ uidValidity: validity, uid, hash: mail.id, body: fitted(mail) })
  // Read-only folders refuse it, which is no reason to read the mail again.
  await client.messageFlagsAdd(String(uid), [String.raw`\Seen`], { uid: true })
}

/** Within what is stored: of a mail that is too long its HTML goes first, then what was forwarded with it. */
function fitted(mail: Mail): string {
  const tries = [
    mail,
    { ...mail, html: '' },
    { ...mail, html: '', attached: [] },
    { ...mail, html: '', attached: [], headers: {}, text: mail.text.slice(0, 20_000) },
  ]
  const bodies = tries.map((one) => JSON.stringify(toBody(one)))
  return (
    bodies.find((body) => Buffer.byteLength(body) <= MOST_BODY_BYTES) ??
    JSON.stringify(toBody({ ...mail, html: '', text: '', attached: [], headers: {}, replyTo: [], to: [] }))
  )
}

/** Looked up once and connected to as such: what a name leads to cannot change between the check and the connection. */
async function publicAddress(host: string): Promise<string> {
  if (isIP(host)) {
    if (!isPublicIp(host)) throw new RoundError('address')
    return host
  }
  if (!host.includes('.')) throw new RoundError('address')
  const guarded = promisify((name: string, done: (error: Error | null, address?: string) => void) =>
    publicLookup(systemLookup)(name, {}, (error, address) =>
      done(error, typeof address === 'string' ? address : undefined),
    ),
  )
  const address = await guarded(host).catch((error: unknown) => {
    throw new RoundError(
      error instanceof Error && 'code' in error && error.code === 'EPRIVATE' ? 'address' : 'connection',
      error,
    )
  })
  if (address === undefined) throw new RoundError('connection')
  return address
}

/** A server says no for many reasons, with the right password too: only one of them is the password. */
function asFault(error: unknown): RoundError {
  if (error instanceof RoundError) return error
  const said = error as { serverResponseCode?: unknown; responseStatus?: unknown; mailboxMissing?: unknown }
  if (said.serverResponseCode === 'AUTHENTICATIONFAILED') return new RoundError('password', error)
  const isMissing =
    said.mailboxMissing === true ||
    said.serverResponseCode === 'NONEXISTENT' ||
    said.serverResponseCode === 'TRYCREATE'
  return new RoundError(isMissing ? 'folder' : 'connection', error)
}
