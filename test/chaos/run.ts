// npm run test:chaos -- --runs 1000 --seed 1: sessions first, then locks. One after the other: they would disturb each other.
// npm run test:chaos -- --ensemble --minutes 30 --seed 1: three servers, with Curator and kazoo beside ours.
if (process.argv.includes('--ensemble')) {
  await import('./runEnsemble.ts');
} else {
  await import('./runSessions.ts');
  await import('./runLocks.ts');
}
export {};
