// One owner for an embedded database's directory: two at once would lose data silently.
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { PortalError } from '#domain/errors.ts'

type Owner = { pid: number; startedAt: string | null }

const ATTEMPTS = 3
/** Of file systems without hard links, as memory sticks and some shared folders have them. */
const LINKLESS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Takes `<directory>.lock` for this process (its parent exists), also from an owner that no longer lives; answers the release.
 * Raises `data-dir.in-use` while a living process holds it.
 */
export function lockDirectory(directory: string): () => void {
  const file = `${directory}.lock`
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Owner)

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (place(file, mine))
      return () => {
        if (readIfThere(file) === mine) unlinkSync(file)
      }
    const seen = readIfThere(file)
    const owner = ownerIn(seen)
    if (owner && isAlive(owner)) throw inUse(directory, owner.pid)
    if (seen !== null) removeStale(file, seen)
  }
  throw inUse(directory, null)
}

/** Whether a living process holds it: that one alone may ask its database anything. */
export function isLocked(directory: string): boolean {
  const owner = ownerIn(readIfThere(`${directory}.lock`))
  return owner !== null && isAlive(owner)
}

const inUse = (directory: string, pid: number | null) =>
  new PortalError(
    'data-dir.in-use',
    `A pasta de dados ${directory} já está em uso${pid === null ? '' : ` pelo processo ${pid}`}. Encerre o outro portal ou escolha outra DATA_DIR.`,
  )

/** False where one is there. It appears whole: half a lock would be taken for one that a crash cut short. */
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

/** Of two starters only one removes what both saw; what the other placed meanwhile goes back. */
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
    return typeof pid === 'number'
      ? { pid, startedAt: typeof startedAt === 'string' ? startedAt : null }
      : null
  } catch {
    // A lock cut short by a crash names no owner.
    return null
  }
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    return isCode(error, 'EPERM')
  }
  // A number used again by another process is not the owner.
  return owner.startedAt === null || startOf(owner.pid) === owner.startedAt
}

/** The process's start in clock ticks since boot, where the system tells. */
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
