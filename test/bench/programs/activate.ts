import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { contextStub, vscodeStub } from './vscodeStub.ts';

// Loads a bundle, activates it, and prints how long both took: once per program, as when a window opens.

const key = Symbol.for('bench.vscode');
const stub = vscodeStub();
Reflect.set(globalThis, key, stub);
const source = `export const { ${Object.keys(stub).join(', ')} } = globalThis[Symbol.for('bench.vscode')];`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: 'stub:vscode', format: 'module', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === 'stub:vscode' ? { source, format: 'module', shortCircuit: true } : next(url, context),
});

const bundle = pathToFileURL(process.argv[2] ?? '').href;
const start = performance.now();
const extension = (await import(bundle)) as { activate(context: unknown): unknown };
const loaded = performance.now();
await extension.activate(contextStub());
const activated = performance.now();
process.stdout.write(JSON.stringify({ loadMs: loaded - start, activateMs: activated - loaded }));
process.exit(0);
