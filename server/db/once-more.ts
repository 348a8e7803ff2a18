// What the database undid because others were at the same rows is done once more: of the first time nothing was kept. PRODUCT.md 4.4.
import { SqlError } from './database.ts'

export const DEADLOCK = '40P01'

/** `work` is one transaction and touches nothing beside it; what it raises the second time is raised. */
export async function onceMore<T>(work: () => Promise<T>, codes: readonly string[] = [DEADLOCK]): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SqlError && codes.includes(error.code)) return work()
    throw error
  }
}
