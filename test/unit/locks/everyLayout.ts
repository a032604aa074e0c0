/** Registers the tests of recognition in the file that calls it: together they recognise every layout that is known. */
export async function testEveryLayout(): Promise<void> {
  await import('./layouts.test.ts');
  await import('./genericLayouts.test.ts');
  await import('./products.test.ts');
  await import('./loneNodes.test.ts');
  await import('./semaphores.test.ts');
  await import('./mixedQueues.test.ts');
  await import('./recognise.test.ts');
  await import('./heldSince.test.ts');
}
