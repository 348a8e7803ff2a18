// One poll of a mailbox (IMAP): new mails are handed on, marked as read, and left there.
import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { ImapFlow } from 'imapflow'
import { isPublicIp, publicLookup } from '#server/http/address/public.ts'
import { type Mail, toBody } from '../mail/mail.ts'
import { readMime } from '../mail/mime.ts'

/**
 * `password`: refused by the server; `address`: in a private network; `folder`: unknown; `late`: too slow;
 * `connection`: anything else. The first two wait for an administrator.
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
  /** The folder's UIDVALIDITY. Null before the first poll. */
  uidValidity: string | null
  lastUid: number
  /** Older mails become no leads when the folder is created anew. */
  sinceMs: number | null
}

export type Taken = { uidValidity: string; uid: number; hash: string | null; body: string | null }
type Steps = {
  /** Stores a new UIDVALIDITY; mails up to `lastUid` are skipped. Returns since when mails count. */
  begin: (uidValidity: string, lastUid: number) => Promise<number | null>
  /** Stores a mail and the progress in one transaction; a null body is skipped. */
  keep: (taken: Taken) => Promise<void>
}
export type Limits = { deadlineMs: number; silenceMs: number; mails: number }

export const LIMITS: Limits = { deadlineMs: 50_000, silenceMs: 20_000, mails: 100 }
/** Maximum bytes that are read of a mail. A lead's mail is smaller; of a larger one its beginning is enough. */
const MAX_BYTES = 256 * 1024
/** Maximum size of a stored body, which portal.intake_raw limits. */
const MAX_BODY_BYTES = 250_000
const TLS_PORT = 993
/** How far the mail server's clock and the portal's may differ. */
const CLOCK_MS = 5 * 60_000

/** Raises RoundError. Mails stored before stay stored, and the next poll continues after them. */
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
    // The password is never sent unencrypted, except within the own network.
    ...(box.port !== TLS_PORT && { doSTARTTLS: !isPrivate }),
    auth: { user: box.username, pass: box.password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: limits.silenceMs,
    greetingTimeout: limits.silenceMs,
    socketTimeout: limits.silenceMs,
  })
  // A connection that breaks between two calls only emits this event.
  client.on('error', () => undefined)
  let isLate = false
  // A server that sends single bytes never triggers the library's idle timeout.
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
    // Mails that are in the mailbox already are no new leads.
    await steps.begin(validity, status.uidNext - 1)
    return 0
  }
  if (box.uidValidity !== validity) {
    last = 0
    sinceMs = await steps.begin(validity, last)
  }
  const found = await client.search({ uid: `${last + 1}:*` }, { uid: true })
  // imapflow answers undefined after a lost connection.
  if (!Array.isArray(found)) throw new RoundError('connection')
  // For a range beyond the end, IMAP servers return the last mail.
  const uids = found.filter((uid) => uid > last).toSorted((a, b) => a - b)
  for (const uid of uids.slice(0, most)) await takeOne(client, { uid, validity, sinceMs }, steps)
  return Math.min(uids.length, most)
}

type One = { uid: number; validity: string; sinceMs: number | null }

async function takeOne(client: ImapFlow, { uid, validity, sinceMs }: One, steps: Steps) {
  const pass = { uidValidity: validity, uid, hash: null, body: null }
  const head = await client.fetchOne(String(uid), { size: true, internalDate: true }, { uid: true })
  if (!client.usable) throw new RoundError('connection')
  // The mail was moved or deleted meanwhile.
  if (!head) return steps.keep(pass)
  const arrivedMs = head.internalDate === undefined ? NaN : new Date(head.internalDate).getTime()
  if (sinceMs !== null && arrivedMs < sinceMs - CLOCK_MS) return steps.keep(pass)
  const isLarge = (head.size ?? 0) > MAX_BYTES
  const whole = await client.fetchOne(
    String(uid),
    { source: isLarge ? { maxLength: MAX_BYTES } : true },
    { uid: true },
  )
  if (!client.usable) throw new RoundError('connection')
  if (!whole || whole.source === undefined) return steps.keep(pass)
  const mail = await readMime(whole.source)
  await steps.keep({ uidValidity: validity, uid, hash: mail.id, body: fitted(mail) })
  // Read-only folders refuse the flag; the mail counts as read all the same.
  await client.messageFlagsAdd(String(uid), [String.raw`\Seen`], { uid: true })
}

/** Shortens a mail to the limit: drops the HTML first, then forwarded mails. */
function fitted(mail: Mail): string {
  const tries = [
    mail,
    { ...mail, html: '' },
    { ...mail, html: '', attached: [] },
    { ...mail, html: '', attached: [], headers: {}, text: mail.text.slice(0, 20_000) },
  ]
  const bodies = tries.map((one) => JSON.stringify(toBody(one)))
  return (
    bodies.find((body) => Buffer.byteLength(body) <= MAX_BODY_BYTES) ??
    JSON.stringify(toBody({ ...mail, html: '', text: '', attached: [], headers: {}, replyTo: [], to: [] }))
  )
}

/**
 * Resolves the host once and connects to that address, so that the check cannot be bypassed by another DNS
 * answer.
 */
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

/** Servers refuse for many reasons; only one of them is a wrong password. */
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
