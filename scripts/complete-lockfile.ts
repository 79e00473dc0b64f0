/**
 * Completes package-lock.json with the platform packages that a registry mirror did not offer.
 *
 * Tools with native parts list one optional package for each platform. A mirror that carries only some leaves the
 * others out of the lockfile, and `npm ci` then refuses it everywhere. Run this after `npm install` on such a mirror.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface Entry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const LOCKFILE = 'package-lock.json'
const SYSTEMS = [
  'android',
  'darwin',
  'linux',
  'win32',
  'freebsd',
  'netbsd',
  'openbsd',
  'sunos',
  'aix',
  'openharmony',
]
const PROCESSORS = [
  'arm64',
  'x64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
]

const lock = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as { packages: Record<string, Entry> }
const added: string[] = []

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`
    if (lock.packages[place] !== undefined || lock.packages[`${path}/${place}`] !== undefined) continue
    lock.packages[place] = platformEntry(name, version, entry.dev ?? false)
    added.push(name)
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(LOCKFILE, `${JSON.stringify(lock, null, 2)}\n`)
process.stderr.write(added.length === 0 ? 'The lockfile is complete.\n' : `Added ${added.join(', ')}.\n`)

function platformEntry(name: string, version: string, dev: boolean): Entry {
  if (!/^\d/.test(version))
    throw new Error(`${name} is wanted as “${version}”: only an exact version can be added.`)
  const words = name.split(/[/-]/)
  const cpu = PROCESSORS.find((word) => words.includes(word))
  const os = SYSTEMS.find((word) => words.includes(word))
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev: true }),
    optional: true,
    ...(os && { os: [os] }),
    ...(words.includes('musl') && { libc: ['musl'] }),
  }
}
