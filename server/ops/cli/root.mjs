// The checkout's folder, and how commands print and run other programs. Plain JavaScript without packages, because
// start and test run before an installation or a build.
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')

/** @param {...string} parts */
export const inRoot = (...parts) => path.join(root, ...parts)

/** Prints one line for the user. @param {string} line */
export const say = (line) => console.log(line)

/** A problem that the user can solve: printed as one line, without a stack. */
export class Stop extends Error {}

/** Ctrl-C or SIGTERM while another program ran: the command ends silently. */
class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(signal)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/**
 * Runs `body` if the module at `url` is the command itself, not an import. A Stop ends it with its line
 * and exit code 1.
 * @param {string} url the module's import.meta.url
 * @param {() => Promise<void>} body
 */
export async function command(url, body) {
  if (fileURLToPath(url) !== realpathSync(process.argv[1] ?? '')) return
  try {
    await body()
  } catch (error) {
    if (error instanceof Interrupted) process.exitCode = error.exitCode
    else if (error instanceof Stop) {
      console.error(error.message)
      process.exitCode = 1
    } else throw error
  }
}

/**
 * Runs a program in the checkout and returns its exit code (128 + n after a signal, 127 for an unknown program,
 * as in a shell). Ctrl-C reaches the program first; this process ends after it.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    /** @type {NodeJS.Signals | null} */
    let interruption = null
    const pass = (/** @type {NodeJS.Signals} */ signal) => {
      interruption = signal
      child.kill(signal)
    }
    const settle = (/** @type {() => void} */ answer) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      answer()
    }
    process.on('SIGINT', pass).on('SIGTERM', pass)
    const child = spawn(program, [...args], { cwd: root, stdio: 'inherit', ...options })
    child.on('error', (error) =>
      settle(() => ('code' in error && error.code === 'ENOENT' ? resolve(127) : reject(error))),
    )
    child.on('close', (code, signal) =>
      settle(() =>
        interruption
          ? reject(new Interrupted(interruption))
          : resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
      ),
    )
  })
}
