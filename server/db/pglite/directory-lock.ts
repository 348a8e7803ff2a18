// One owner for an embedded database's directory: two at once would lose data silently.
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { PortalError } from '#domain/errors.ts'
import { systemClock, type Clock } from '#server/clock.ts'

type Owner = {
  pid: number
  startedAt: string | null
  /** The machine and container whose process numbers these are. Null: written by an older portal, so this one. */
  where: string | null
}

/** How often the owner writes its lock again. */
const BEAT_EVERY_MS = 5_000
/** A lock of another machine or container is stale without a beat for this time. */
const STALE_AFTER_MS = 15_000

const ATTEMPTS = 3
/** Error codes of file systems without hard links, such as memory sticks and some shared folders. */
const LINKLESS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

type Options = { clock?: Pick<Clock, 'every'>; onLost?: (directory: string) => void }
type Held = { file: string; mine: string; clock: Pick<Clock, 'every'>; onLost: () => void }

/**
 * Takes `<directory>.lock` for this process (its parent exists), also from an owner that no longer lives. Returns the
 * release. Raises `data-dir.in-use` while a living process holds it. The process ends at once if another one takes the
 * lock from it, which happens only after it was paused for longer than `STALE_AFTER_MS`.
 */
export function lockDirectory(
  directory: string,
  { clock = systemClock, onLost = endAtOnce }: Options = {},
): () => void {
  const file = `${directory}.lock`
  const mine = JSON.stringify({
    pid: process.pid,
    startedAt: startOf(process.pid),
    where: WHERE,
  } satisfies Owner)

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (place(file, mine)) return hold({ file, mine, clock, onLost: () => onLost(directory) })
    const seen = readIfThere(file)
    const owner = ownerIn(seen)
    if (owner && isAlive(owner, file)) throw inUse(directory, owner)
    if (seen !== null) removeStale(file, seen)
  }
  throw inUse(directory, null)
}

/** Whether a living process holds the lock. Only that process may use the database. */
export function isLocked(directory: string): boolean {
  const file = `${directory}.lock`
  const owner = ownerIn(readIfThere(file))
  return owner !== null && isAlive(owner, file)
}

/** Writes into the file that this process created, even if another lock has its name by now. */
function hold({ file, mine, clock, onLost }: Held): () => void {
  let descriptor = openSync(file, 'r+')
  const beat = () => {
    const seen = readIfThere(file)
    if (seen === mine) writeSync(descriptor, mine, 0)
    else if (seen === null && place(file, mine)) {
      closeSync(descriptor)
      descriptor = openSync(file, 'r+')
    } else onLost()
  }
  const stop = clock.every(BEAT_EVERY_MS, () => {
    try {
      beat()
    } catch {
      // The disk is full or away. The next beat finds out whether the lock is still held by this process.
    }
  })
  return () => {
    stop()
    closeSync(descriptor)
    if (readIfThere(file) === mine) unlinkSync(file)
  }
}

/** Ends the process at once. Anything slower would let two engines write into one folder. */
function endAtOnce(directory: string) {
  process.stderr.write(
    `A pasta de dados ${directory} foi tomada por outro portal enquanto este estava parado. Este se encerra para não perder dados.\n`,
  )
  process.exit(1)
}

function inUse(directory: string, owner: Owner | null) {
  const isElsewhere = owner !== null && !isHere(owner)
  const by = isElsewhere
    ? ' por um portal em outro contêiner ou computador'
    : owner === null
      ? ''
      : ` pelo processo ${owner.pid}`
  const wait = isElsewhere
    ? ` Se ele não existe mais, inicie de novo em ${STALE_AFTER_MS / 1_000} segundos.`
    : ''
  return new PortalError(
    'data-dir.in-use',
    `A pasta de dados ${directory} já está em uso${by}. Encerre o outro portal ou escolha outra DATA_DIR.${wait}`,
  )
}

/**
 * Creates the lock file. False: there is one already. It appears as a whole, because half a lock would look like one
 * that a crash cut short.
 */
function place(file: string, text: string): boolean {
  const draft = besides(file)
  writeFileSync(draft, text)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    if (!LINKLESS.some((code) => isCode(error, code))) throw error
  } finally {
    unlinkSync(draft)
  }
  return create(file, text)
}

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Removes a lock that nobody holds any more. If two processes start at once, only one removes the file that both saw.
 * A lock that the other has placed meanwhile is put back.
 */
function removeStale(file: string, seen: string) {
  const aside = besides(file)
  try {
    renameSync(file, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  const moved = readIfThere(aside)
  unlinkSync(aside)
  if (moved !== null && moved !== seen) place(file, moved)
}

const besides = (file: string) => `${file}.${randomUUID()}`

function ownerIn(text: string | null): Owner | null {
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed) || !('startedAt' in parsed))
      return null
    const { pid, startedAt } = parsed
    const where = 'where' in parsed && typeof parsed.where === 'string' ? parsed.where : null
    return typeof pid === 'number'
      ? { pid, startedAt: typeof startedAt === 'string' ? startedAt : null, where }
      : null
  } catch {
    // A lock cut short by a crash names no owner.
    return null
  }
}

function isAlive(owner: Owner, file: string): boolean {
  if (!isHere(owner)) return isBeating(file)
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    return isCode(error, 'EPERM')
  }
  // The number of the owner's process may belong to another process by now.
  return owner.startedAt === null || startOf(owner.pid) === owner.startedAt
}

const isHere = ({ where }: Owner) => where === null || where === WHERE

/** Whether the owner still writes its lock, by the clock of the file system, which several machines share. */
function isBeating(file: string): boolean {
  const probe = besides(file)
  writeFileSync(probe, '')
  try {
    return statSync(probe).mtimeMs - statSync(file).mtimeMs < STALE_AFTER_MS
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  } finally {
    unlinkSync(probe)
  }
}

/** Process numbers mean something within one boot of one machine, and within one container. */
const WHERE = [
  readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname(),
  linkIfThere('/proc/self/ns/pid') ?? '',
].join(' ')

function linkIfThere(file: string): string | null {
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}

/** When a process started, in clock ticks since the machine's start. Null: the system does not say. */
function startOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(') ') + 2).split(' ')[19] ?? null
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return null
    throw error
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
