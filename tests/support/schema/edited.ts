// A copy of the folder supabase with edits: the portal's next release, for tests of upgrades.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const FOLDER = path.resolve('supabase')

type Edit = { from: string | RegExp; to: string }

/** Each edit must match some schema file; `steps` are numbered migrations by file name. The caller deletes the copy. */
export async function editSchema(
  edits: readonly Edit[],
  steps: Record<string, string> = {},
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-release-'))
  await cp(FOLDER, folder, { recursive: true })
  const schemas = path.join(folder, 'schemas')
  const files = (await readdir(schemas)).map((name) => path.join(schemas, name))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  for (const { from, to } of edits) {
    const at = texts.findIndex((text) => (typeof from === 'string' ? text.includes(from) : from.test(text)))
    const text = texts[at]
    if (text === undefined) throw new Error(`no schema file has ${String(from)}`)
    texts[at] = text.replace(from, () => to)
  }
  await Promise.all(files.map((file, at) => writeFile(file, texts[at] ?? '')))
  await mkdir(path.join(folder, 'migrations'), { recursive: true })
  for (const [name, sql] of Object.entries(steps)) await writeFile(path.join(folder, 'migrations', name), sql)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
