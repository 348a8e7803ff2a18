// Where the checkout stands, and how the commands speak and start other programs. Plain JavaScript with no packages:
// start and test run before anything is installed or built.
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')

/** @param {...string} parts */
export const inRoot = (...parts) => path.join(root, ...parts)

/** One line to the person who waits. @param {string} line */
export const say = (line) => console.log(line)

/** Something the person at the terminal can mend: shown as one line, never with a stack. */
export class Stop extends Error {}

/** Ctrl-C or a polite kill while another program ran: the command ends without a word. */
class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(signal)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/**
 * Runs `body` when the module at `url` is the command itself, not imported by another. A Stop ends it with its one line
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
 * Runs a program in the checkout and answers its exit code (128 + n after a signal, 127 when there is no such program,
 * as in a shell). Ctrl-C reaches the program first; only when it has ended does this side unwind.
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
