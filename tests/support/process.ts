// A child process under test: its output, waiting for output, and how it ended.
import { spawn } from 'node:child_process'

export type Ending = { code: number | null; signal: NodeJS.Signals | null; output: string; errors: string }

export type Watched = {
  pid: number
  /** Resolves with the first match in its output; rejects if the process ends without one. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>
  ending: Promise<Ending>
  kill: (signal: NodeJS.Signals) => Promise<Ending>
}

/** The user it runs as; {} = the current one. */
export type User = { uid?: number; gid?: number }

type Intent = { pattern: RegExp; resolve: (match: RegExpExecArray) => void; reject: (error: Error) => void }

/** Starts `node args…` with exactly `env`, plus the variables that find programs. */
export function startNode(
  args: string[],
  options: { cwd: string; env?: Record<string, string>; user?: User },
): Watched {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    ...options.user,
    env: { PATH, HOME, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  let laterRequests: Intent[] = []
  const grant = () => {
    laterRequests = laterRequests.filter(({ pattern, resolve }) => {
      const match = pattern.exec(output) ?? pattern.exec(errors)
      if (match) resolve(match)
      return !match
    })
  }
  child.stdout.setEncoding('utf8').on('data', (words: string) => {
    output += words
    grant()
  })
  child.stderr.setEncoding('utf8').on('data', (words: string) => {
    errors += words
    grant()
  })

  const ending = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const { pattern, reject: refuse } of laterRequests)
        refuse(new Error(`ended (${code ?? signal}) without saying ${pattern}:\n${output}${errors}`))
      laterRequests = []
      resolve({ code, signal, output, errors })
    })
  })
  return {
    // For a process that could not start, `ending` says why.
    pid: child.pid ?? 0,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        laterRequests.push({ pattern, resolve, reject })
        grant()
      }),
    ending,
    kill: (signal) => {
      child.kill(signal)
      return ending
    },
  }
}
