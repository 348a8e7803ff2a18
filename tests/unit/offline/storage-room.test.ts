// A full device counts as full until something was stored again: a deletion does not prove space.
import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { writeDevice } from '#offline/database.ts'
import { storageState } from '#offline/storage-state.ts'

const keep = () =>
  writeDevice((db) => db.put('drafts', { owner: 'a', place: 'b', text: 'c' }).then(() => undefined))
const takeAway = () => writeDevice((db) => db.delete('drafts', ['a', 'b']))

test('a full device is full until there is space', async () => {
  await keep()
  expect(storageState()).toBe('ok')
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await expect(keep()).rejects.toThrow('full')
  expect(storageState()).toBe('full')
  await takeAway()
  expect(storageState()).toBe('full')
  put.mockRestore()
  await takeAway()
  expect(storageState()).toBe('ok')
})
