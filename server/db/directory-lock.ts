// One owner for an embedded database's directory: two at once would lose data silently (BACKEND.md 2).
import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { PortalError } from '#domain/errors.ts'

type Owner = { pid: number; startedAt: string | null }

const ATTEMPTS = 3

/**
 * Takes `<directory>.lock` for this process (its parent exists), also from an owner that no longer lives; answers the release.
 * Raises `data-dir.in-use` while a living process holds it.
 */
export function lockDirectory(directory: string): () => void {
  const file = `${directory}.lock`
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Owner)

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      return () => {
        if (readIfThere(file) === mine) unlinkSync(file)
      }
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    const owner = readOwner(file)
    if (owner && isAlive(owner)) throw inUse(directory, owner.pid)
    removeStale(file)
  }
  throw inUse(directory, null)
}

/** Whether a living process holds it: that one alone may ask its database anything. */
export function isLocked(directory: string): boolean {
  const owner = readOwner(`${directory}.lock`)
  return owner !== null && isAlive(owner)
}

const inUse = (directory: string, pid: number | null) =>
  new PortalError(
    'data-dir.in-use',
    `A pasta de dados ${directory} já está em uso${pid === null ? '' : ` pelo processo ${pid}`}. Encerre o outro portal ou escolha outra DATA_DIR.`,
  )

/** The rename makes sure that of two starters only one removes what both saw. */
function removeStale(file: string) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    unlinkSync(aside)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

function readOwner(file: string): Owner | null {
  try {
    const parsed: unknown = JSON.parse(readIfThere(file) ?? '')
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
