// Every command in a page, a deploy file or .ci/run can be run: its script, file, flags and service exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { VARIABLES } from '#server/env.ts'
import { DEEP_PHASES, PHASES_OF_WORD } from '#tests/support/runner/phases.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const isThere = (file: string) => existsSync(path.join(root, file))
const firsts = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first]) => first ?? '')
const namesIn = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`)

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const { services } = parse(read('deploy/compose.yaml')) as { services: Record<string, unknown> }
const phases = new Set(['changed', ...DEEP_PHASES, ...Object.keys(PHASES_OF_WORD)])
const testFiles = namesIn('tests').filter((name) => /\.(test|e2e)\.tsx?$|tests\/e2e\/.*\.ts$/.test(name))
const benchParts = read('tests/bench/bench.ts') + read('tests/bench/run.mjs')

const PAGES = ['README.md', 'CONTRIBUTING.md', ...namesIn('docs').filter((name) => name.endsWith('.md'))]
const DEPLOYED = [...namesIn('deploy').filter((name) => name !== 'deploy/.env'), '.ci/run', '.dockerignore']
/** Made by the operator or an installation, so missing in the repository. */
const MADE_LATER = new Set(['deploy/.env', 'supabase/migrations'])
/** npm's own commands. */
const OWN_VERBS = new Set(['ci', 'install', 'prune'])
/** Flags of other programs. */
const OTHERS_FLAGS: Record<string, readonly string[]> = { 'test:watch': ['project'] }

/** Commands in shell blocks and backticks, one per line, without comments and continuations. */
function commandsIn(text: string): string[] {
  const blocks = firsts(text, /^```sh\n(.*?)^```/gms)
    .join('')
    .replaceAll(/\\\n\s*/g, '')
  const inline = firsts(text.replaceAll(/^```.*?^```/gms, ''), /`([^`\n]+)`/g)
  return [...blocks.split('\n'), ...inline]
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => /^(?:[A-Z_]+=\S* )*(?:\S+ -- )?(?:npm|node|docker|bash|cp|runuser) /.test(line))
}

/** The faults of a command; empty if it can be run, as far as a test can tell. */
function faultsOf(command: string): string[] {
  const words = command.split(' ').filter(Boolean)
  const settings = words.slice(
    0,
    words.findIndex((word) => !/^[A-Z_]+=/.test(word)),
  )
  const unknown = settings.flatMap((word) => {
    const name = word.slice(0, word.indexOf('='))
    return name in VARIABLES ? [] : [`setting ${name}`]
  })
  return [...unknown, ...faultsOfProgram(words.slice(settings.length))]
}

function faultsOfProgram([program = '', ...words]: string[]): string[] {
  const own = words.indexOf('node')
  if (program === 'npm') return faultsOfNpm(words)
  if (program === 'node') return faultsOfNode(words)
  if (program === 'bash') return faultsOfFile(words[0])
  if (program === 'cp') return faultsOfFile(words[0])
  if (program === 'runuser') return faultsOfNode(words.slice(own + 1))
  if (program !== 'docker') return []
  const file = words[words.indexOf('-f') + 1]
  const [verb, service] = words.slice(words.indexOf('-f') + 2)
  const isService = !['exec', 'logs', 'restart'].includes(verb ?? '') || (service ?? '') in services
  return [
    ...(words.includes('-f') ? faultsOfFile(file) : []),
    ...(!words.includes('-f') || isService ? [] : [`service ${service ?? ''}`]),
    ...(own === -1 ? [] : faultsOfNode(words.slice(own + 1))),
  ]
}

const faultsOfFile = (file: string | undefined) =>
  file !== undefined && (isThere(file) || MADE_LATER.has(file)) ? [] : [`file ${file ?? ''}`]

function faultsOfNpm(words: string[]): string[] {
  const [verb = '', ...rest] = words.filter((word) => word !== '-s')
  if (OWN_VERBS.has(verb)) return []
  const [name = '', ...after] = verb === 'run' ? rest : [verb, ...rest]
  const script = scripts[name]
  if (script === undefined) return [`script ${name}`]
  const given = after.filter((word) => word !== '--')
  const file = /^node (\S+)/.exec(script)?.[1]
  return [
    ...flagsOf(given).flatMap((flag) => (hasFlag(name, file, flag) ? [] : [`flag ${flag}`])),
    ...(file === 'tests/run.mjs' ? faultsOfFilters(given) : []),
    ...(file === 'tests/bench/run.mjs' ? given.filter((part) => !benchParts.includes(part)) : []),
  ]
}

function faultsOfNode(words: string[]): string[] {
  const at = words.findIndex((word) => !word.startsWith('-'))
  const file = words[at]
  if (at === -1 || !/\.m?js$/.test(file ?? '')) return []
  if (faultsOfFile(file).length > 0) return faultsOfFile(file)
  return flagsOf(words.slice(at + 1)).flatMap((flag) => (hasFlag('', file, flag) ? [] : [`flag ${flag}`]))
}

const flagsOf = (words: readonly string[]) =>
  words.flatMap((word) => (/^--[a-z]/.test(word) ? [word.slice(2).replace(/=.*/, '')] : []))

/** The command's own code reads the flag: its file, or the TypeScript beside it. */
function hasFlag(name: string, file: string | undefined, flag: string): boolean {
  if (OTHERS_FLAGS[name]?.includes(flag)) return true
  const sources = [file, file?.replace(/\.mjs$/, '.ts')].flatMap((one) =>
    one && isThere(one) ? [read(one)] : [],
  )
  return sources.some((text) =>
    new RegExp(`['{, ]${flag}'?: \\{ type: |includes\\('--${flag}'\\)`).test(text),
  )
}

/** A word that is no phase filters test files, so some file must match. */
const faultsOfFilters = (words: readonly string[]) =>
  words.flatMap((word) =>
    word.startsWith('-') || phases.has(word) || testFiles.some((name) => name.includes(word))
      ? []
      : [`test ${word}`],
  )

describe('commands', () => {
  test.each(PAGES)('%s', (page) => {
    const faults = commandsIn(read(page)).flatMap((command) =>
      faultsOf(command).map((fault) => `${command}: ${fault}`),
    )
    expect(faults).toEqual([])
  })

  test('of the pages are found', () => {
    expect(PAGES.flatMap((page) => commandsIn(read(page))).length).toBeGreaterThan(50)
  })

  test('in comments of deploy files', () => {
    const lines = DEPLOYED.flatMap((file) =>
      firsts(
        read(file),
        /^\s*(?:#\s*(?:[\w' ]+: )?|RUN |ENTRYPOINT |npm_\w+=\S+ )((?:npm|node|docker|cp) .*)$/gm,
      ),
    )
    const commands = lines.flatMap((line) => line.replace(/ {2,}\(.*$/, '').split(' && '))
    expect(commands).toContainEqual(expect.stringMatching(/^docker compose -f /))
    expect(commands.filter((command) => !command.startsWith('docker build')).flatMap(faultsOf)).toEqual([])
  })

  test.each([
    'npm run none',
    'npm run token -- --none',
    'npm test -- no-such-test',
    'npm run bench -- no-such-part',
    'node server/ops/cli/none.mjs',
    'node --env-file=/etc/x.env server/ops/cli/token.mjs --none',
    'docker compose -f deploy/none.yaml up -d',
    'docker compose -f deploy/compose.yaml logs none',
    'docker compose -f deploy/compose.yaml exec portal node server/ops/cli/none.mjs',
    'cp deploy/none deploy/.env',
    'NO_SETTING=1 npm start',
  ])('%s is reported', (command) => {
    expect(faultsOf(command)).toHaveLength(1)
  })
})

describe('paths', () => {
  test.each(DEPLOYED)('%s names files that exist', (file) => {
    const text = read(file)
    const ofRoot = firsts(
      text,
      /(?<![\w./-])((?:\.ci|deploy|docs|server|src|supabase|tests|public)\/[\w./-]*\w)/g,
    )
    const beside = firsts(text, /^\s*- \.\/([\w./-]+):/gm).map((name) => path.join(path.dirname(file), name))
    expect([...ofRoot, ...beside].filter((name) => !isThere(name) && !MADE_LATER.has(name))).toEqual([])
    // The build makes one file of dist per entry.
    const built = firsts(text, /\bdist\/server\/([\w-]+)\.mjs/g)
    const config = read('vite.config.ts')
    expect(built.filter((name) => !new RegExp(`\\b${name}'?: 'server/`).test(config))).toEqual([])
  })

  test('package.json runs files that exist, and the Dockerfile uses files in its context', () => {
    const inScripts = Object.values(scripts).flatMap((script) => firsts(script, /\bnode (\S+\.mjs)/g))
    expect(inScripts.length).toBeGreaterThan(20)
    expect(inScripts.filter((file) => !isThere(file))).toEqual([])
    const inImage = firsts(read('deploy/Dockerfile'), /\bnode (\S+\.mjs)/g)
    const passing = firsts(read('.dockerignore'), /^!(.+)$/gm)
    expect(inImage.length).toBeGreaterThan(0)
    expect(
      inImage.filter((file) => !isThere(file) || !passing.some((name) => file.startsWith(`${name}/`))),
    ).toEqual([])
  })
})
