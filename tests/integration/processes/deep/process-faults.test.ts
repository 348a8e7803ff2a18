// An operator's start errors: one clear line each, exit code 1, nothing changed.
import { chmod, chown, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { call } from '#tests/support/portal.ts'
import { useStarts } from '#tests/support/starts.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const { inDataDir, begin, launch, start, prepareDatabase } = useStarts()
const failure = (...lines: string[]) => ({
  code: 1,
  output: '',
  errors: lines.map((line) => line + '\n').join(''),
})

const UNREADABLE = 'o banco embutido não consegue ler o que está nela'
const emptied = async (folder: string) => {
  await rm(folder, { recursive: true })
  await mkdir(folder)
}

describe('a start that cannot succeed', () => {
  test('the port is taken: nothing is created before this is known', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0

    expect(await launch({ PORT: String(port) })).toMatchObject(
      failure(`A porta ${port} já está em uso. Encerre o outro programa ou escolha outra PORT.`),
    )
    expect(await readdir(inDataDir())).toEqual([])
    await new Promise((resolve) => other.close(resolve))
  })

  test.each([
    ['a file stands there', 'file', 'há um arquivo com esse nome'],
    ['a file stands in the way', 'file/data', 'há um arquivo no caminho'],
  ])('the data folder cannot be used: %s', async (_, place, reason) => {
    await writeFile(inDataDir('file'), '')
    const folder = inDataDir(place)
    expect(await launch({}, folder)).toMatchObject(
      failure(`A pasta de dados ${folder} não pode ser usada: ${reason}. Escolha outra DATA_DIR.`),
    )
  })

  test.runIf(process.platform === 'linux')('the data folder is not writable, not even by root', async () => {
    const { code, output, errors } = await launch({}, '/sys/portal-data')
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(
      /^A pasta de dados \/sys\/portal-data não pode ser usada: (sem permissão de escrita|o disco é só de leitura)\. Escolha outra DATA_DIR\.\n$/,
    )
  })

  test('all wrong settings are listed at once', async () => {
    const wrong = {
      PORT: 'oitenta',
      JWT_SECRET: 'curto',
      CAMPAIGN_DELAY_MS: '9-1',
      LOG_LEVEL: 'alto',
      DEMO: '1',
    }
    const { code, output, errors } = await launch({ ...wrong, PUBLIC_URL: 'portal.example.com' })
    expect({ code, output }).toEqual({ code: 1, output: '' })
    const lines = errors.trimEnd().split('\n')
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'JWT_SECRET',
      'PUBLIC_URL',
      'CAMPAIGN_DELAY_MS',
      'LOG_LEVEL',
    ])
    expect(errors).not.toContain('curto')
    expect(await readdir(inDataDir())).toEqual([])
  })

  test('the demonstration refuses settings that would make it public', async () => {
    const { code, errors } = await launch({
      DEMO: '1',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://portal.example.com',
    })
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'DEMO=1 não combina com PUBLIC_URL\nDEMO=1 só pode escutar em 127.0.0.1\n',
    })
  })

  test('the database does not answer', async () => {
    const { code, output, errors } = await launch({
      DATABASE_URL: 'postgres://portal:segredo@127.0.0.1:1/portal',
    })
    expect({ code, output, errors }).toEqual(
      failure(
        'Não foi possível conectar ao banco de dados 127.0.0.1:1/portal: ninguém responde nesse endereço.',
      ),
    )
  })

  const inDatabase = (...parts: string[]) => inDataDir('database', ...parts)
  const filesIn = async (folder: string, name: RegExp) =>
    (await readdir(inDatabase(folder), { recursive: true }))
      .filter((file) => name.test(file))
      .map((file) => inDatabase(folder, file))

  const damages: [string, string, () => Promise<unknown>][] = [
    ['the version is gone', 'falta PG_VERSION', () => rm(inDatabase('PG_VERSION'))],
    ['it is empty', 'falta PG_VERSION', () => emptied(inDatabase())],
    ['a folder is gone', 'falta global/pg_control', () => rm(inDatabase('global'), { recursive: true })],
    ['the log is gone', 'falta pg_wal', () => rm(inDatabase('pg_wal'), { recursive: true })],
    [
      'a file was cut short',
      'global/pg_control está cortado',
      () => truncate(inDatabase('global/pg_control'), 100),
    ],
    [
      'the log is garbage',
      UNREADABLE,
      async () => {
        for (const segment of await filesIn('pg_wal', /^[\dA-F]{24}$/))
          await writeFile(segment, Buffer.alloc(1024 * 1024, 0xa7))
      },
    ],
    ['half of a copy', UNREADABLE, () => emptied(inDatabase('base'))],
    [
      'a table of the catalogue was cut short',
      UNREADABLE,
      async () => {
        for (const file of await filesIn('base', /\/1259$/)) await truncate(file, 100)
      },
    ],
    [
      'a table of the portal was cut short',
      UNREADABLE,
      async () => {
        const db = await openPglite({ dataDir: inDatabase() })
        const { rows } = await db.query<{ file: string }>(
          `select pg_relation_filepath('portal.settings') as file`,
        )
        await db.exec(`insert into portal.settings (key, value) values ('kept', '1')`)
        await db.close()
        await writeFile(inDatabase(rows[0]?.file ?? ''), Buffer.alloc(8192, 0xa7))
      },
    ],
  ]
  /** One found at once, one that crashes the engine, one in a table of ours. */
  const SOON = ['the version is gone', 'the log is garbage', 'a table of the portal was cut short']
  test.each(
    byTier(
      damages.filter(([what]) => SOON.includes(what)),
      damages,
    ),
  )('the data folder is damaged, %s: one line, and nothing is created over it', async (_, what, spoil) => {
    await prepareDatabase()
    await spoil()
    const before = await readdir(inDatabase(), { recursive: true })
    expect(await launch()).toMatchObject(
      failure(
        `A pasta de dados ${inDatabase()} está danificada: ${what}. Nada foi mudado nela; volte a um backup: npm run restore -- ARQUIVO (um de ${inDataDir('backups')}).`,
      ),
    )
    const made = (await readdir(inDatabase(), { recursive: true })).filter((file) => !before.includes(file))
    expect(made.filter((file) => file !== 'postmaster.pid')).toEqual([])
  })

  test.each([
    [
      '17',
      'Volte à versão do portal que o fez e leve os dados com ela a um Postgres: npm run move -- --to postgres://… (docs/instalacao.md).',
    ],
    ['19', 'Use a versão do portal que o fez, ou uma mais nova.'],
  ])('the database is of an engine of Postgres %s: it is neither opened nor changed', async (major, way) => {
    await prepareDatabase()
    await writeFile(inDatabase('PG_VERSION'), `${major}\n`)
    const before = await readdir(inDatabase(), { recursive: true })
    expect(await launch()).toMatchObject(
      failure(
        `O banco em ${inDatabase()} é do PostgreSQL ${major}, e o banco embutido deste portal é o 18: ele não foi aberto nem mudado. ${way}`,
      ),
    )
    expect(await readdir(inDatabase(), { recursive: true })).toEqual(before)
  })

  test('the data folder holds what the portal’s user may not read', async () => {
    await prepareDatabase()
    const isRoot = process.getuid?.() === 0
    const nobody = { uid: 65_534, gid: 65_534 }
    if (isRoot)
      for (const place of [
        inDataDir(),
        ...(await readdir(inDataDir(), { recursive: true })).map((file) => inDataDir(file)),
      ])
        await chown(place, nobody.uid, nobody.gid)
    if (isRoot) await chown(inDatabase('pg_wal'), 0, 0)
    await chmod(inDatabase('pg_wal'), isRoot ? 0o700 : 0o000)
    const portal = begin({}, inDataDir(), isRoot ? nobody : {})
    expect(await portal.ending).toMatchObject(
      failure(
        `A pasta de dados ${inDatabase()} não pode ser usada: o usuário do portal não pode ler e escrever tudo que está nela. Faça-o dono dela (chown -R). Se ela veio incompleta de uma cópia, volte a um backup: npm run restore -- ARQUIVO.`,
      ),
    )
    await chmod(inDatabase('pg_wal'), 0o700)
  })

  const lostKeys: [string, string, (file: string) => Promise<unknown>][] = [
    ['is gone', 'não existe ou está vazio', (file) => rm(file)],
    ['is empty', 'não existe ou está vazio', (file) => writeFile(file, '')],
    ['was cut short', 'está cortado', (file) => truncate(file, 12)],
  ]
  test.each(byTier(lostKeys.slice(0, 1), lostKeys))(
    'the key file %s while the database contains data encrypted with it',
    async (_, what, spoil) => {
      await prepareDatabase()
      const first = await start()
      await first.process.kill('SIGTERM')
      const file = inDataDir('jwt-secret')
      const stored = await readFile(file)
      await spoil(file)
      const spoilt = await readFile(file).catch(() => null)
      const { code, output, errors } = await launch()
      expect({ code, output }).toEqual({ code: 1, output: '' })
      expect(errors).toMatch(/^[^\n]+\n$/)
      expect(errors).toContain(`O arquivo ${file} ${what}, e o banco de dados guarda o que só ele abre.`)
      expect(await readFile(file).catch(() => null)).toEqual(spoilt)
      // The old key decrypts everything again, as a file or as a setting.
      const { process: again } = await start({ JWT_SECRET: String(stored) })
      expect(await again.kill('SIGTERM')).toMatchObject({ code: 0, errors: '' })
    },
  )

  test('the key file cannot be read', async () => {
    await prepareDatabase()
    await mkdir(inDataDir('jwt-secret'))
    expect(await launch()).toMatchObject(
      failure(
        `O arquivo ${inDataDir('jwt-secret')} não pode ser lido (EISDIR). Dê-o ao usuário do portal, ou defina JWT_SECRET com o conteúdo dele.`,
      ),
    )
  })

  test('the data folder is in use: the first portal continues', async () => {
    await prepareDatabase()
    const first = await start()
    const { code, output, errors } = await launch()
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(/^A pasta de dados \S+ já está em uso pelo processo \d+\. Encerre .+\n$/)
    expect((await call(`${first.origin}/api/health`)).status).toBe(200)
  })
})
