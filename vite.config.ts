// How the app is built and served while it is worked on. PWA.md 1, 8; PRODUCT.md 5.
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

/** Where `npm run dev` has the portal server listen. */
const PORTAL = process.env['PORTAL_ORIGIN'] ?? 'http://127.0.0.1:8080'

const client: UserConfig = {
  plugins: [react(), tailwindcss()],
  server: {
    proxy: Object.fromEntries(['/api', '/auth', '/rest', '/webhook'].map((path) => [path, PORTAL])),
  },
  build: {
    outDir: 'dist/client',
    // A data: address would need an exception in the content policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The way from sign-in to the board is one file, so that a weak signal pays for one request (PRODUCT.md 5).
            {
              name: 'broker',
              test: /\/src\/(?:routes\/(?:login|broker)|features\/(?:login\/(?!admin|lit)|kanban|account))/,
            },
          ],
        },
      },
    },
  },
}

export default defineConfig(client)
