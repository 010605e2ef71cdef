// The licences of the libraries inside the bundle: each is found from the files that the bundler has taken in.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const LICENCE = /^licen[cs]e(\.(md|txt))?$/i
const FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/

/** Write the name, version and licence text of every bundled library to a file beside the page. */
export function notices(fileName: string): Plugin {
  return {
    name: 'notices',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
      const folders = new Set(files.flatMap((file) => FOLDER.exec(file.replace(/^\0/, ''))?.[0] ?? []))
      const parts = [...folders].map(notice).sort()
      this.emitFile({ type: 'asset', fileName, source: `${HEAD}\n${parts.join('\n')}` })
    },
  }
}

const HEAD = 'The scripts of this page hold the following libraries, under the licences of their authors.\n'

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf-8'))
  const file = readdirSync(folder).find((entry) => LICENCE.test(entry))
  if (!file) throw new Error(`${name} has no licence file in ${dirname(folder)}`)
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf-8').trim()}\n`
}
