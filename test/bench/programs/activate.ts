import { createRequire, registerHooks } from 'node:module';
import { contextStub, vscodeStub } from './vscodeStub.ts';

// Loads a bundle, activates it, and prints how long both took: once per program, as when a window opens.

const key = Symbol.for('bench.vscode');
Reflect.set(globalThis, key, vscodeStub());
const source = `module.exports = globalThis[Symbol.for('bench.vscode')];`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: 'stub:vscode', format: 'commonjs', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === 'stub:vscode' ? { source, format: 'commonjs', shortCircuit: true } : next(url, context),
});

const require = createRequire(import.meta.url);
const start = performance.now();
const extension = require(process.argv[2] ?? '') as { activate(context: unknown): unknown };
const loaded = performance.now();
await extension.activate(contextStub());
const activated = performance.now();
process.stdout.write(JSON.stringify({ loadMs: loaded - start, activateMs: activated - loaded }));
process.exit(0);
