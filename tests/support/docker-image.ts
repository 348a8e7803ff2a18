// Executes a Dockerfile without Docker: each stage is a folder, COPY copies into it, RUN runs a shell in it.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

type Line = { name: string; rest: string }
type Stage = { folder: string; workdir: string; env: Record<string, string> }

export type Image = {
  /** The path on this machine of a path in the image. */
  at: (place: string) => string
  workdir: string
  env: Record<string, string>
  cmd: string[]
  healthcheck: string[]
}

/** The user `node` of the official images. A test without root's rights keeps its own user. */
export const NODE_USER =
  process.getuid?.() === 0
    ? { uid: 1000, gid: 1000 }
    : { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000 }

function linesOf(dockerfile: string): Line[] {
  return dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      return name !== undefined && rest !== undefined ? [{ name, rest }] : []
    })
}

/** Copies only what `.dockerignore` allows: it ignores everything (`*`), then lists exceptions. */
export async function copyContext(root: string, into: string) {
  const passing = (await readFile(path.join(root, '.dockerignore'), 'utf8')).match(/^!.+$/gm) ?? []
  for (const name of passing.map((line) => line.slice(1)))
    await cp(path.join(root, name), path.join(into, name), { recursive: true })
}

/** `install` replaces `npm ci …` in the folder with package.json; by default npm itself runs. */
export async function buildImage(
  dockerfile: string,
  folders: { context: string; into: string },
  install?: (folder: string) => Promise<void>,
): Promise<Image> {
  const stages = new Map<string, Stage>()
  let stage: Stage = { folder: '', workdir: '/', env: {} }
  let cmd: string[] = []
  let healthcheck: string[] = []
  for (const { name, rest } of linesOf(dockerfile)) {
    if (name === 'FROM') {
      const alias = / AS (\w+)$/.exec(rest)?.[1] ?? `stage-${stages.size}`
      stage = { folder: path.join(folders.into, alias), workdir: '/', env: {} }
      stages.set(alias, stage)
    } else if (name === 'WORKDIR') {
      stage.workdir = rest
      await mkdir(inStage(stage, rest), { recursive: true })
    } else if (name === 'ENV') Object.assign(stage.env, variables(rest))
    else if (name === 'COPY') await copy(rest, stage, stages, folders.context)
    else if (name === 'RUN' && rest.startsWith('npm ci') && install) await install(inStage(stage, '.'))
    else if (name === 'RUN') run(rest, stage)
    else if (name === 'CMD') cmd = JSON.parse(rest) as string[]
    else if (name === 'HEALTHCHECK') healthcheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[]
  }
  const last = stage
  const at = (place: string) => inStage(last, place)
  return {
    at,
    workdir: at('.'),
    env: { ...last.env, DATA_DIR: at(last.env['DATA_DIR'] ?? '') },
    cmd,
    healthcheck,
  }
}

const inStage = ({ folder, workdir }: Stage, place: string) => path.join(folder, path.resolve(workdir, place))

const variables = (text: string) =>
  Object.fromEntries(
    text.split(' ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

async function copy(rest: string, stage: Stage, stages: Map<string, Stage>, context: string) {
  const [, alias, words = rest] = /^--from=(\w+) (.*)$/.exec(rest) ?? []
  const sources = words.split(' ')
  const target = sources.pop() ?? ''
  const source = alias === undefined ? undefined : stages.get(alias)
  if (alias !== undefined && !source) throw new Error(`COPY names a stage that is not there: ${alias}`)
  for (const one of sources) {
    const from = source ? inStage(source, one) : path.join(context, one)
    // As in Docker: of a folder its content, of a file itself.
    const isFile = (await stat(from)).isFile()
    const name = isFile && target.endsWith('/') ? path.basename(one) : ''
    await cp(from, path.join(inStage(stage, target), name), { recursive: true, verbatimSymlinks: true })
  }
}

/**
 * Absolute folders of the image outside its workdir, such as /data, are inside the stage; its user `node` is a number
 * here.
 */
function run(command: string, stage: Stage) {
  const here = command
    .replaceAll(/ (\/[\w/]+)/g, (_, place: string) => ` ${inStage(stage, place)}`)
    .replaceAll('--owner=node', `--owner=${NODE_USER.uid}`)
    .replaceAll('--group=node', `--group=${NODE_USER.gid}`)
  const { PATH = '', HOME = '' } = process.env
  const cache = process.env['npm_config_cache']
  const env = { PATH, HOME, ...(cache === undefined ? {} : { npm_config_cache: cache }), ...stage.env }
  execFileSync('sh', ['-c', here], {
    cwd: inStage(stage, '.'),
    env: { ...env, npm_config_prefer_offline: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
