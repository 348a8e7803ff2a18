// Words that the screens keep to: one expression for one thing, whichever file its sentence stands in.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => path.join('src', name))

/** Sentences between quotes, comments left out. */
function sentencesOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
  return [...text.matchAll(/'([^'\n]*)'|`([^`]*)`|>([^<>{}\n]+)</g)].map(
    ([, quoted, template, between]) => quoted ?? template ?? between ?? '',
  )
}

const sentences = files.flatMap((file) => sentencesOf(file).map((text) => ({ file, text })))

describe('as frases das telas', () => {
  test('o que precisa de rede diz internet: sinal é do celular, e uma mesa não tem', () => {
    const wrong = sentences.filter(({ text }) => /precisa de sinal|houver sinal|o sinal volt/i.test(text))
    expect(wrong).toEqual([])
  })
})
