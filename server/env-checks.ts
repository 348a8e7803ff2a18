// Validators for the values of settings, and the messages for invalid ones.
import * as v from 'valibot'
import { readAddress } from './db/postgres/address.ts'

export const text = (check: RegExp, message: string) => v.pipe(v.string(), v.regex(check, message))
export const address = v.pipe(
  v.string(),
  v.url('não é um endereço'),
  v.regex(/^https?:\/\//, 'deve começar com http:// ou https://'),
)
const serverAddress = (options: { isReplica?: boolean }) =>
  v.pipe(
    text(/^postgres(ql)?:\/\//, 'deve começar com postgres://'),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      try {
        readAddress(dataset.value, options)
      } catch (error) {
        addIssue({ message: error instanceof Error ? error.message : String(error) })
      }
    }),
  )
export const postgresAddress = serverAddress({})
export const replicaAddress = serverAddress({ isReplica: true })
export const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('pt-BR', { timeZone: name }))
  } catch {
    return false
  }
}
export const delays = v.pipe(
  text(/^\d{1,7}-\d{1,7}$/, 'deve ser mínimo-máximo em milissegundos, como 10000-20000'),
  v.transform((range) => {
    const [min = 0, max = 0] = range.split('-').map(Number)
    return { min, max }
  }),
  v.check(({ min, max }) => min <= max, 'o mínimo não pode passar do máximo'),
)
export const wholeNumber = (min: number, max: number) =>
  v.pipe(
    text(/^\d{1,5}$/, `deve ser um número de ${min} a ${max}`),
    v.transform(Number),
    v.minValue(min, `deve ser no mínimo ${min}`),
    v.maxValue(max, `deve ser no máximo ${max}`),
  )
export const flag = v.pipe(
  v.picklist(['0', '1'], 'deve ser 0 ou 1'),
  v.transform((value) => value === '1'),
)
