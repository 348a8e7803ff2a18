// Postgres addresses in libpq's form: what node-postgres gets, and the error for a wrong one.
import { describe, expect, test } from 'vitest'
import { readAddress } from '#server/db/postgres/address.ts'
import { createHosts } from '#server/db/postgres/hosts.ts'
import { readSettings } from '#server/settings.ts'

const LAST = 'uselibpqcompat=true'

describe('an address', () => {
  test.each([
    ['one server', 'postgres://u:p@h:5433/db', ['postgres://u:p@h:5433/db'], 'any'],
    ['no port', 'postgresql://u:p@h/db', ['postgres://u:p@h:5432/db'], 'any'],
    [
      'two servers',
      'postgres://u:p@h1:5432,h2:5433/db',
      ['postgres://u:p@h1:5432/db', 'postgres://u:p@h2:5433/db'],
      'read-write',
    ],
    [
      'one port for all',
      'postgres://u:p@h1,h2/db?port=6432',
      ['postgres://u:p@h1:6432/db', 'postgres://u:p@h2:6432/db'],
      'read-write',
    ],
    [
      'a port for each',
      'postgres:///db?host=h1,h2&port=1,2',
      ['postgres://h1:1/db', 'postgres://h2:2/db'],
      'read-write',
    ],
    [
      'IPv6',
      'postgres://u@[::1]:5433,[2001:db8::2]/db',
      ['postgres://u@[::1]:5433/db', 'postgres://u@[2001:db8::2]:5432/db'],
      'read-write',
    ],
    [
      'IPv6 by its parameter',
      'postgres://u@/db?host=::1,h2',
      ['postgres://u@[::1]:5432/db', 'postgres://u@h2:5432/db'],
      'read-write',
    ],
    [
      'a password with signs',
      'postgres://u:a%2Fb%3F%23%25%40,%3A@h1,h2/db',
      ['postgres://u:a%2Fb%3F%23%25%40,%3A@h1:5432/db', 'postgres://u:a%2Fb%3F%23%25%40,%3A@h2:5432/db'],
      'read-write',
    ],
    ['an @ in the password', 'postgres://u:a@b@h/db', ['postgres://u:a@b@h:5432/db'], 'any'],
    ['a server twice', 'postgres://h,h/db', ['postgres://h:5432/db'], 'read-write'],
    [
      'a socket',
      'postgres:///db?host=/var/run/postgresql',
      ['postgres://%2Fvar%2Frun%2Fpostgresql:5432/db'],
      'any',
    ],
  ])('%s', (_, given, urls, wanted) => {
    expect(readAddress(given)).toMatchObject({ urls: urls.map((url) => `${url}?${LAST}`), wanted })
  })

  test.each(['any', 'read-write', 'primary'])('asks for a server: %s', (wanted) => {
    expect(readAddress(`postgres://h1,h2/db?target_session_attrs=${wanted}&sslmode=require`)).toMatchObject({
      urls: [
        `postgres://h1:5432/db?sslmode=require&${LAST}`,
        `postgres://h2:5432/db?sslmode=require&${LAST}`,
      ],
      wanted,
    })
  })

  test('is shown without user and password', () => {
    expect(readAddress('postgres://u:segredo@h1,h2:5433/db?sslmode=require').shown).toBe('h1:5432,h2:5433/db')
  })

  test.each([
    ['mysql://h/db', /^deve ser postgres:\/\//],
    ['postgres://u:a#b@h/db', /^deve ser postgres:\/\/.+%23/],
    ['postgres://u:a/b@h/db', /porta que não existe|nome de servidor/],
    ['postgres://u:50%@h/db', /% é escrito %25/],
    ['postgres://h1:99999/db', /^tem uma porta que não existe: 99999$/],
    ['postgres://h1:um/db', /^tem um nome de servidor/],
    ['postgres://h1,h2,h3/db?port=1,2', /^tem 2 portas para 3 servidores$/],
    ['postgres://h1,h2/db?target_session_attrs=standby', /só de leitura.+use read-write$/],
    ['postgres://h1,h2/db?target_session_attrs=writer', /^tem um target_session_attrs que não existe/],
    ['postgres://h 1/db', /^tem um nome de servidor que não é válido$/],
  ])('%s is refused', (given, reason) => {
    expect(() => readAddress(given)).toThrow(reason)
    expect(() => readSettings({ DATABASE_URL: given })).toThrow(/^DATABASE_URL: /)
  })
})

test('a working server is kept; when several callers leave it, only the first one moves on', () => {
  const { count, current, inTurn, leave, prefer } = createHosts(readAddress('postgres://a,b,c/db'))
  const [first, second] = ['a', 'b'].map((host) => `postgres://${host}:5432/db?${LAST}`) as [string, string]
  expect([count, current()]).toEqual([3, first])
  leave(first)
  leave(first)
  expect(current()).toBe(second)
  for (let left = 0; left < 2; left++) leave(current())
  expect(current()).toBe(first)
  prefer(second)
  expect(inTurn()).toEqual([second, expect.stringContaining('//c:'), first])
  expect(current()).toBe(second)
})
