import { expect, test } from 'vitest'
import { readSettings } from '#server/settings.ts'

test('an empty environment is the demonstration on this machine', () => {
  expect(readSettings({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDir: './data',
    isDemo: true,
    firstAccess: 'open',
    timeZone: 'America/Sao_Paulo',
    restSchemas: ['public'],
    restTxRollback: false,
    adminUsername: 'admin',
    adminPassword: 'demo-admin',
  })
})

test('a public address listens everywhere, is no demonstration and requires invitations', () => {
  expect(readSettings({ PUBLIC_URL: 'https://portal.example' })).toMatchObject({
    host: '0.0.0.0',
    isDemo: false,
    firstAccess: 'invite',
    adminPassword: undefined,
  })
})

test.each([
  [{ DATABASE_URL: 'postgres://u@h/d' }, false],
  [{ EVOLUTION_URL: 'http://gw', EVOLUTION_API_KEY: 'k' }, false],
  [{ DEMO: '0' }, false],
  [{ EVOLUTION_URL: 'http://gw', EVOLUTION_API_KEY: 'k', DEMO: '1' }, true],
])('%o sets demo to %s', (environment, isDemo) => {
  expect(readSettings(environment).isDemo).toBe(isDemo)
})

const S3 = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'midias',
  S3_REGION: 'auto',
  S3_ACCESS_KEY_ID: 'chave',
  S3_SECRET_ACCESS_KEY: 'segredo',
}

test('a bucket is set by five variables together, and is no demo', () => {
  expect(readSettings(S3)).toMatchObject({
    isDemo: false,
    bucket: {
      endpoint: 'https://s3.example',
      bucket: 'midias',
      region: 'auto',
      accessKeyId: 'chave',
      secretAccessKey: 'segredo',
    },
  })
  expect(readSettings({}).bucket).toBeUndefined()
  for (const name of Object.keys(S3))
    expect(() => readSettings({ ...S3, [name]: '' })).toThrow(
      `S3_ENDPOINT e as outras vão juntas; falta ${name}`,
    )
})

test.each([
  [{ ...S3, DEMO: '1' }, 'DEMO=1 não combina com S3_ENDPOINT'],
  [{ ...S3, S3_BUCKET: 'a/b' }, 'S3_BUCKET: não é o nome de um bucket'],
  [{ ...S3, S3_ENDPOINT: 's3.example' }, 'S3_ENDPOINT: não é um endereço'],
  [{ PORT: 'oito' }, 'PORT: deve ser um número'],
  [{ PORT: '70000' }, 'PORT: deve ser no máximo 65535'],
  [{ JWT_SECRET: 'curto' }, 'JWT_SECRET: deve ter 32 caracteres ou mais'],
  [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL: deve começar com postgres://'],
  [{ PUBLIC_URL: 'ftp://h' }, 'PUBLIC_URL: deve começar com http:// ou https://'],
  [{ CAMPAIGN_DELAY_MS: '20000-10000' }, 'CAMPAIGN_DELAY_MS: o mínimo não pode passar do máximo'],
  [
    { CAMPAIGN_DELAY_MS: 'rápido' },
    'CAMPAIGN_DELAY_MS: deve ser mínimo-máximo em milissegundos, como 10000-20000',
  ],
  [{ PORTAL_TIME_ZONE: 'Marte/Olimpo' }, 'PORTAL_TIME_ZONE: não é um fuso horário'],
  [{ LOG_LEVEL: 'tudo' }, 'LOG_LEVEL: deve ser debug, info, warn ou error'],
  [{ METRICS_TOKEN: 'curto' }, 'METRICS_TOKEN: deve ter 24 caracteres ou mais'],
  [{ KEEP_BACKUPS: '0' }, 'KEEP_BACKUPS: deve ser no mínimo 1'],
  [{ KEEP_AUDIT_DAYS: '364' }, 'KEEP_AUDIT_DAYS: deve ser no mínimo 365'],
  [{ KEEP_RAW_DAYS: '-3' }, 'KEEP_RAW_DAYS: deve ser um número de 1 a 3650'],
  [{ ADMIN_PASSWORD: 'curta' }, 'ADMIN_PASSWORD: deve ter 8 caracteres ou mais'],
  [
    { DEMO: '1', PUBLIC_URL: 'https://h' },
    'DEMO=1 não combina com PUBLIC_URL\nDEMO=1 só pode escutar em 127.0.0.1',
  ],
  [{ DEMO: '1', DATABASE_URL: 'postgres://u@h/d' }, 'DEMO=1 não combina com DATABASE_URL'],
  [{ HOST: '0.0.0.0' }, 'DEMO=1 só pode escutar em 127.0.0.1'],
  [{ EVOLUTION_URL: 'http://gw' }, 'EVOLUTION_URL precisa de EVOLUTION_API_KEY'],
  [
    { PORT: 'x', LOG_LEVEL: 'y', REST_SCHEMAS: 'a b' },
    'PORT: deve ser um número\nREST_SCHEMAS: deve ser uma lista de nomes separados por vírgula\nLOG_LEVEL: deve ser debug, info, warn ou error',
  ],
])('%o is refused with every fault', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(
    expect.objectContaining({ code: 'settings.invalid', message }),
  )
})

test('an empty variable counts as unset', () => {
  expect(readSettings({ PORT: '', PUBLIC_URL: '', JWT_SECRET: '' })).toMatchObject({
    port: 8080,
    isDemo: true,
  })
})
