// The portal's media storage for either engine: in its own folder, or in rows if the database is a server.
import type { Database } from '#server/db/database.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import type { MediaStore } from '#server/storage/media-store.ts'

export const openStorage = async (db: Database, folder: string): Promise<MediaStore> =>
  db.engine === 'postgres' ? createDatabaseStore(db) : openFolderStore(folder)
