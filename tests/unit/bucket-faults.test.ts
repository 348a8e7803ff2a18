// What an operator reads of a bucket that cannot be used.
import { expect, test } from 'vitest'
import { BucketError, wordsOf } from '#server/storage/bucket/faults.ts'

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /autoridade conhecida; informe o arquivo dela em NODE_EXTRA_CA_CERTS$/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS$/],
  ['CERT_HAS_EXPIRED', /^o certificado de S3_ENDPOINT está vencido$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /de outro endereço$/],
  ['ETIMEDOUT', /^o endereço de S3_ENDPOINT não respondeu \(ETIMEDOUT\)$/],
])('a connection that ends with %s', (code, words) => {
  const cause = Object.assign(new Error('no connection'), { code })
  expect(wordsOf(new BucketError(null, null, { cause }))).toMatch(words)
})
