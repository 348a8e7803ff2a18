// A zip written as a stream: its content when unpacked, and no reading ahead.
import { expect, test } from 'vitest'
import { zipOf, type ZipEntry } from '#server/privacy/zip.ts'
import { unzip } from '#tests/support/zip.ts'

async function* listed(entries: readonly ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries
}

test('returns every file, of none, one or many pieces, under any name', async () => {
  const parts = Array.from({ length: 300 }, (_, index) => Buffer.alloc(1_000, index % 256))
  const zip = await new Response(
    zipOf(
      listed([
        { name: 'LEIA-ME.txt', bytes: [Buffer.from('Olá')] },
        { name: 'mídia/ação €.json', bytes: parts },
        { name: 'vazio.txt', bytes: [] },
      ]),
    ),
  ).arrayBuffer()
  expect([...unzip(Buffer.from(zip))].map(([name, bytes]) => [name, bytes.length])).toEqual([
    ['LEIA-ME.txt', 4],
    ['mídia/ação €.json', 300_000],
    ['vazio.txt', 0],
  ])
  expect([...unzip(Buffer.from(await new Response(zipOf(listed([]))).arrayBuffer()))]).toEqual([])
})

test('reads only as far as requested, and releases its source when the rest is not wanted', async () => {
  let made = 0
  let isOver = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(10, made++)
    } finally {
      isOver = true
    }
  }
  const reader = zipOf(listed([{ name: 'a', bytes: endless() }])).getReader()
  for (let piece = 0; piece < 3; piece++) await reader.read()
  expect(made).toBeLessThan(6)
  await reader.cancel()
  expect(isOver).toBe(true)
})

test('a fault in the source is a fault of the file, not an end', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a')
    throw new Error('gone')
  }
  await expect(new Response(zipOf(listed([{ name: 'a', bytes: broken() }]))).arrayBuffer()).rejects.toThrow(
    'gone',
  )
})
